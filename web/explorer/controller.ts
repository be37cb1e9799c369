/** What the page does: it has workers simulate what is asked, and takes what they answer. */

import { readAddress, writeAddress } from './address.js';
import { type Given, loadCores, loadGiven, loadWorker, seal } from './assets.js';
import { Client, Fault } from './client.js';
import type { Model } from './model.js';
import type { RunData, Setup } from './protocol.js';
import { Signal } from './signal.js';
import { unpacked } from './unpack.js';
import { sinceFirst } from './words.js';

/** Milliseconds after the last change before it is simulated. */
const PATIENCE = 250;

/** Between the page and its workers. */
export class Controller {
  readonly model: Model;
  /** What is wrong; empty where nothing is. */
  fault = '';
  isBusy = false;
  /** Whether an answer is still to come to what was asked last. */
  isPending = true;
  /** Told when the two above have become others. */
  readonly state = new Signal();
  #client!: Client;
  #cores!: Awaited<ReturnType<typeof loadCores>>;
  #worker = '';
  #log: { readonly name: string; readonly bytes: ArrayBuffer } | undefined;
  #turn = 0;
  #timer = 0;

  constructor(model: Model) {
    this.model = model;
  }

  /** Loads the core, and runs what the address or whoever serves the page says. */
  async start(): Promise<void> {
    const [cores, given, worker] = await Promise.all([loadCores(), loadGiven(), loadWorker()]);
    seal();
    this.#cores = cores;
    this.#worker = worker;
    this.#client = await this.newClient();
    await this.#open(given);
    addEventListener('hashchange', () => {
      if (location.hash.slice(1) !== this.address()) void this.#open({});
    });
  }

  /** A worker that knows the core, the log, and the functions that may run. */
  async newClient(): Promise<Client> {
    const client = new Client(this.#worker);
    this.model.catalogue = await client.ask('start', this.#cores);
    if (this.#log !== undefined) await client.ask('log', this.#log);
    for (const { isTrusted, name, text } of this.model.code) {
      if (isTrusted) await client.ask('code', { name, text });
    }
    return client;
  }

  /** The worker of the page. */
  get client(): Client {
    return this.#client;
  }

  async #open(given: Given): Promise<void> {
    const { model } = this;
    if (given.log !== undefined && given.options?.workload !== undefined) {
      await this.#setLog(given.options.workload, given.log);
    }
    const address = readAddress(location.hash);
    const { options, methods } = given;
    if (address !== undefined) {
      model.setup = address.setup;
      model.forks = [...address.forks];
    } else if (options !== undefined) {
      const workload = options.workload ?? model.setup.options.workload;
      const isOther = options.workload !== undefined;
      model.setup = {
        options: { ...(isOther ? {} : model.setup.options), ...options, workload },
        methods: methods ?? (isOther ? [{}] : model.setup.methods),
      };
    }
    const code = [...(given.code ?? []), ...(address?.code ?? [])];
    model.code = code.map(
      (file) =>
        model.code.find(({ name, text }) => name === file.name && text === file.text) ?? {
          ...file,
          isTrusted: false,
        },
    );
    model.asked.tell();
    await this.run();
    if (address?.window !== undefined) model.view.show(...address.window);
    const job = model.outcome?.jobs.names.indexOf(address?.job ?? '') ?? -1;
    if (job >= 0) model.select(job);
    model.looked.tell();
  }

  /** Changes what is asked, and simulates it soon. */
  change(setup: Setup): void {
    this.model.setup = setup;
    this.model.forks = [];
    this.model.asked.tell();
    this.isPending = true;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.run(), PATIENCE);
  }

  /** Simulates what is asked. What was asked before and is not done yet is given up. */
  async run(): Promise<void> {
    const turn = ++this.#turn;
    const { model } = this;
    if (this.isBusy) await this.#restart();
    await this.#during(async () => {
      const waiting = model.code.filter(({ isTrusted, name }) => !isTrusted && this.#isUsed(name));
      if (waiting.length > 0) {
        throw new Fault(
          `this page names functions that nobody here has looked at yet (${waiting.map(({ name }) => name).join(', ')}); read them under Functions of your own and press Run this code`,
          true,
        );
      }
      const outcome = await this.#client.ask('run', model.setup);
      if (turn !== this.#turn) return;
      model.take(outcome);
      for (const { run, time, policy } of model.forks) {
        const from = model.runs[run];
        if (from !== undefined) {
          const fork = await this.#client.ask('fork', { run: from.id, time, policy });
          model.addFork(this.#named(fork, time));
        }
      }
    });
    this.remember();
  }

  /** Goes on from a moment under another policy. */
  async fork(time: number, policy: string): Promise<void> {
    const { model } = this;
    const { run } = model;
    if (run === undefined) return;
    await this.#during(async () => {
      const fork = await this.#client.ask('fork', { run: run.id, time, policy });
      model.forks = [...model.forks, { run: model.shown[0], time, policy }];
      model.addFork(this.#named(fork, time));
    });
    this.remember();
  }

  /** Takes a log that was dropped or chosen. */
  async open([file, ...others]: readonly File[]): Promise<void> {
    if (file === undefined) return;
    await this.#during(async () => {
      if (others.length > 0) {
        throw new Fault(
          'this page takes one log at a time; `gridalloc simulate` reads several, one after the other, as one log',
          true,
        );
      }
      await this.#setLog(file.name, await unpacked(file));
      const { methods } = this.model.setup;
      const kept = methods.some(({ policy, discipline }) => policy ?? discipline) ? methods : [{}];
      this.model.setup = { options: { workload: file.name }, methods: kept };
      this.model.forks = [];
      this.model.asked.tell();
    });
    if (this.fault === '') await this.run();
  }

  /** Has functions run from now on. */
  async trust(name: string, text: string): Promise<void> {
    await this.#during(async () => {
      await this.#client.ask('code', { name, text });
      const others = this.model.code.filter((each) => each.name !== name);
      this.model.code = [...others, { name, text, isTrusted: true }];
      const { methods } = this.model.setup;
      const isUsed = this.#isUsed(name);
      const own = isUsed ? methods : [...methods, { policy: name }];
      this.model.setup = { ...this.model.setup, methods: own };
      this.model.asked.tell();
    });
    if (this.fault === '') await this.run();
  }

  /** Ends what is being simulated. */
  async stop(): Promise<void> {
    this.#turn++;
    await this.#restart();
    this.isBusy = false;
    this.state.tell();
  }

  /** The address of what is shown. */
  address(): string {
    const { setup, forks, view, selected, outcome } = this.model;
    const code = this.model.code.filter(({ name }) => this.#isUsed(name));
    const [from, to] = view.whole;
    const isWhole = view.from === from && view.to === to;
    return writeAddress({
      ...{ setup, code, forks },
      ...(isWhole || outcome === undefined ? {} : { window: [Math.round(view.from), Math.round(view.to)] }),
      ...(selected === undefined || outcome === undefined ? {} : { job: outcome.jobs.names[selected] }),
    });
  }

  /** Puts what is shown into the address of the page. */
  remember(): void {
    history.replaceState(null, '', `#${this.address()}`);
  }

  #named(fork: RunData, time: number): RunData {
    const { outcome } = this.model;
    return outcome === undefined
      ? fork
      : { ...fork, label: `${fork.label} from ${sinceFirst(outcome, time)}` };
  }

  #isUsed(name: string): boolean {
    const { options, methods } = this.model.setup;
    return [options, ...methods].some((texts) => Object.values(texts).includes(name));
  }

  async #setLog(name: string, bytes: ArrayBuffer): Promise<void> {
    this.#log = { name, bytes };
    this.model.logName = name;
    await this.#client.ask('log', this.#log);
  }

  async #restart(): Promise<void> {
    this.#client.close();
    this.#client = await this.newClient();
  }

  async #during(work: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.isPending = true;
    this.fault = '';
    this.state.tell();
    try {
      await work();
      this.isBusy = false;
      this.isPending = false;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // Somebody else goes on.
      if (message === 'stopped') return;
      this.isBusy = false;
      this.isPending = false;
      this.fault = message;
    } finally {
      this.state.tell();
    }
  }
}
