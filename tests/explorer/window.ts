/** Objects of the explorer's page that tests read. */
import type { ExplorerController } from '../../web/explorer/controller.js';
import type { GanttChart } from '../../web/explorer/gantt/chart.js';
import type { ExplorerModel } from '../../web/explorer/model.js';

declare global {
  interface Window {
    readonly explorer: {
      readonly model: ExplorerModel;
      readonly controller: ExplorerController;
      readonly charts: readonly GanttChart[];
    };
  }
}
