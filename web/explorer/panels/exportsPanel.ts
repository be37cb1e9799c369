/** What can be taken away: the command line, jobs, pictures, a study, a link. */
import { linkOf } from '../address.js';
import type { Controller } from '../controller.js';
import { button, commandLine, h, save } from '../dom.js';

/** The panel. */
export function exportsPanel(controller: Controller, replications: () => number): HTMLElement {
  const { model } = controller;
  const commands = h('div', { className: 'commands' });
  const told = h('span', { role: 'status', className: 'told' });
  const take = async (what: 'csv' | 'svg' | 'study') => {
    const { run, view } = model;
    if (run === undefined) return;
    const file = await controller.client.ask('export', {
      ...{ run: run.id, what, replications: replications() },
      ...(what === 'csv' ? { from: -Infinity, to: Infinity } : { from: view.from, to: view.to }),
    });
    save(file.name, file.type, file.text);
  };
  const copyLink = async () => {
    controller.remember();
    const link = linkOf(location.href);
    await navigator.clipboard?.writeText(link).catch(() => {});
    told.textContent =
      link === location.href
        ? 'The address of this page is the link; it is copied.'
        : 'The link is copied, without the token of this page; `gridalloc explore LINK` shows the same.';
  };
  model.answered.on(() => {
    commands.replaceChildren(...(model.outcome?.commands ?? []).map(commandLine));
  });
  return h(
    'section',
    { className: 'card wide', id: 'take-away' },
    h('h2', {}, 'Take it away'),
    h('p', {}, 'The same numbers on the command line:'),
    commands,
    h(
      'div',
      { className: 'actions' },
      button('Copy a link', () => void copyLink()),
      button('jobs.csv', () => void take('csv'), 'Save the jobs of the upper chart as CSV'),
      button('Gantt chart as SVG', () => void take('svg'), 'Save the time shown of the upper chart as SVG'),
      button('Study file', () => void take('study'), 'Save the methods and options as a study file'),
      told,
    ),
  );
}
