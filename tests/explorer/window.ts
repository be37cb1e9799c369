/** Objects of the explorer's page that tests read. */
import type { Controller } from '../../web/explorer/controller.js';
import type { GanttChart } from '../../web/explorer/gantt/chart.js';
import type { Model } from '../../web/explorer/model.js';

declare global {
  interface Window {
    readonly explorer: {
      readonly model: Model;
      readonly controller: Controller;
      readonly charts: readonly GanttChart[];
    };
  }
}
