/** Users, groups and partitions of live jobs as columns of the core, which needs their number beforehand. */
import type { CoreRun } from '../core/host.js';
import type { RunSettings } from '../core/runSettings.js';
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import type { Configuration } from '../options/configuration.js';
import { NO_LIMITS_NOTATION, parseRunningLimits, type RunningLimit } from '../options/limits.js';
import { NO_PARTITION_SITES_NOTATION, parsePartitionSites } from '../options/partitionSites.js';
import type { LiveTable } from './liveTable.js';
import type { LiveName, SubmittedJob } from './submittedJob.js';

/** Value of the core for no limit. */
const NO_LIMIT_VALUE = 2 ** 31 - 1;
const ACCOUNT_OWNER_KINDS = ['user', 'group'] as const;
type AccountOwnerKind = (typeof ACCOUNT_OWNER_KINDS)[number];

/** Numbers from 0 for the values of a field in order of appearance, at most `capacity`. */
class ConsecutiveNumbering {
  readonly numbers = new Map<number, number>();

  numberOf(fieldNumber: number): number {
    const assignedNumber = this.numbers.get(fieldNumber);
    if (assignedNumber !== undefined) return assignedNumber;
    this.numbers.set(fieldNumber, this.numbers.size);
    return this.numbers.size - 1;
  }
}

/** Accounts with limits: those that the option names, then as many others as there may be jobs. */
class LimitAccounts {
  readonly #limits: readonly RunningLimit[];
  readonly #named: readonly { readonly by: AccountOwnerKind; readonly name: string }[];
  readonly #capacity: number;
  readonly #others = { user: new ConsecutiveNumbering(), group: new ConsecutiveNumbering() };

  constructor(notation: string, capacity: number) {
    this.#limits = parseRunningLimits(notation);
    this.#capacity = capacity;
    const named = new Map(
      this.#limits.flatMap(({ by: ownerKind, name: limitName }) =>
        limitName === undefined ? [] : [[`${ownerKind} ${limitName}`, { by: ownerKind, name: limitName }]],
      ),
    );
    this.#named = [...named.values()];
  }

  /** Continues with the accounts of another run. */
  copy(copiedAccounts: LimitAccounts): void {
    for (const ownerKind of ACCOUNT_OWNER_KINDS)
      for (const fieldNumber of copiedAccounts.#others[ownerKind].numbers.keys())
        this.#others[ownerKind].numberOf(fieldNumber);
  }

  get count(): number {
    return this.#named.length + 2 * this.#capacity;
  }

  /** Column with the most jobs and processors of each account. */
  get column(): Int32Array {
    const column = new Int32Array(2 * this.count);
    for (let account = 0; account < this.count; account++) {
      const { by: ownerKind, name } = this.#named[account] ?? { by: this.#kindOf(account), name: undefined };
      column[2 * account] = this.#most(ownerKind, 'jobs', name);
      column[2 * account + 1] = this.#most(ownerKind, 'processors', name);
    }
    return column;
  }

  #kindOf(account: number): AccountOwnerKind {
    return account < this.#named.length + this.#capacity ? 'user' : 'group';
  }

  #limit(
    accountKind: AccountOwnerKind,
    limitedQuantity: RunningLimit['of'],
    ownerName: string | undefined,
  ): RunningLimit | undefined {
    const limits = this.#limits.filter((limit) => limit.by === accountKind && limit.of === limitedQuantity);
    return (
      limits.find((limit) => limit.name === ownerName) ?? limits.find((limit) => limit.name === undefined)
    );
  }

  #most(
    accountKind: AccountOwnerKind,
    limitedQuantity: RunningLimit['of'],
    ownerName: string | undefined,
  ): number {
    return this.#limit(accountKind, limitedQuantity, ownerName)?.most ?? NO_LIMIT_VALUE;
  }

  /** Account of a user or group; -1 if it has none. */
  accountOf(accountKind: AccountOwnerKind, ownerName: LiveName | undefined, nameNumber: number): number {
    if (ownerName === undefined || !this.#limits.some((limit) => limit.by === accountKind)) return -1;
    const namedAccountIndex = this.#named.findIndex(
      (owner) => owner.by === accountKind && owner.name === String(ownerName),
    );
    if (namedAccountIndex >= 0) return namedAccountIndex;
    const numberAmongUnnamedAccounts = this.#others[accountKind].numberOf(nameNumber);
    if (numberAmongUnnamedAccounts >= this.#capacity)
      throw makeTooManyAccountsError(accountKind, this.#capacity);
    return this.#named.length + (accountKind === 'user' ? 0 : this.#capacity) + numberAmongUnnamedAccounts;
  }

  /** @throws InputError for a job that exceeds a limit by itself. */
  check(job: SubmittedJob, context: string): void {
    for (const ownerKind of ACCOUNT_OWNER_KINDS) {
      if (job[ownerKind] === undefined) continue;
      const processorLimit = this.#limit(ownerKind, 'processors', String(job[ownerKind]));
      if (processorLimit === undefined || job.processors <= processorLimit.most) continue;
      throw new InputError(
        `${context}: its ${formatCount(job.processors, 'processor')} alone exceed the limit of ${processorLimit.most} for ${ownerKind} ${job[ownerKind]}; raise the option limit, or split the job`,
      );
    }
  }
}

function makeTooManyAccountsError(accountKind: string, capacity: number): InputError {
  return new InputError(
    `submit: there are more than ${formatCount(capacity, accountKind)}, as many as the option capacity has room for; give a larger capacity`,
  );
}

/** Sets of sites: one for each pair of an entry of the option `partitionSites` for the partition and the queue. */
class SiteSetsOfPartitionAndQueue {
  readonly #entries: readonly (readonly [name: string, sites: readonly number[]])[];
  readonly #siteCount: number;

  constructor(notation: string, siteCount: number) {
    this.#entries = [...parsePartitionSites(notation)];
    this.#siteCount = siteCount;
    for (const [name, sites] of this.#entries) {
      const unknownSite = sites.find((site) => site > siteCount);
      if (unknownSite === undefined) continue;
      const siteCountText = formatCount(siteCount, 'site');
      throw new InputError(
        `partitionSites: ${name} is to have site ${unknownSite}, and the grid has ${siteCountText}`,
      );
    }
  }

  get #choicesPerField(): number {
    return this.#entries.length + 1;
  }

  get count(): number {
    return this.#choicesPerField ** 2;
  }

  get column(): Int32Array {
    const isSiteInEntry = (entryNumber: number, site: number) =>
      entryNumber === 0 || this.#entries[entryNumber - 1]![1].includes(site + 1);
    return Int32Array.from({ length: this.count * this.#siteCount }, (_, index) => {
      const [set, site] = [Math.floor(index / this.#siteCount), index % this.#siteCount];
      const isAllowed =
        isSiteInEntry(Math.floor(set / this.#choicesPerField), site) &&
        isSiteInEntry(set % this.#choicesPerField, site);
      // The core refuses empty sets, which no job has.
      return Number(isAllowed || !this.#hasSites(set));
    });
  }

  #hasSites(siteSetNumber: number): boolean {
    const [sitesOfPartition, sitesOfQueue] = [
      Math.floor(siteSetNumber / this.#choicesPerField),
      siteSetNumber % this.#choicesPerField,
    ].map((entryNumber) => (entryNumber === 0 ? undefined : this.#entries[entryNumber - 1]![1]));
    return (
      sitesOfPartition === undefined ||
      sitesOfQueue === undefined ||
      sitesOfPartition.some((site) => sitesOfQueue.includes(site))
    );
  }

  /**
   * Number of the set of a job, from 1.
   * @throws InputError if its partition and its queue have no site in common.
   */
  siteSetNumberOf({ partition, queue }: SubmittedJob, context: string): number {
    const entryOf = (accountName: LiveName | undefined) =>
      1 + this.#entries.findIndex(([each]) => each === String(accountName));
    const siteSet = entryOf(partition) * this.#choicesPerField + entryOf(queue);
    if (this.#hasSites(siteSet)) return 1 + siteSet;
    throw new InputError(
      `${context}: its partition ${partition} and its queue ${queue} have no site in common; change the option partitionSites`,
    );
  }
}

/** Numbers in the core of the users, groups and partitions that jobs of a live simulation name. */
export class LiveAccounts {
  readonly #capacity: number;
  readonly #limits: LimitAccounts | undefined;
  readonly #sets: SiteSetsOfPartitionAndQueue | undefined;
  readonly #usage = { user: new ConsecutiveNumbering(), group: new ConsecutiveNumbering() };

  constructor({ limit, partitionSites, grid }: Configuration, capacity: number, original?: LiveAccounts) {
    this.#capacity = capacity;
    if (limit !== NO_LIMITS_NOTATION) this.#limits = new LimitAccounts(limit, capacity);
    if (partitionSites !== NO_PARTITION_SITES_NOTATION)
      this.#sets = new SiteSetsOfPartitionAndQueue(partitionSites, grid.capacities.length);
    if (original === undefined) return;
    if (original.#limits !== undefined) this.#limits?.copy(original.#limits);
    for (const ownerKind of ACCOUNT_OWNER_KINDS)
      for (const fieldNumber of original.#usage[ownerKind].numbers.keys())
        this.#usage[ownerKind].numberOf(fieldNumber);
  }

  /** Adds the columns and sizes to the settings of a run. */
  addAccountsToSettings(runSettings: RunSettings): RunSettings {
    const options = { ...runSettings.options };
    const siteColumns = { ...runSettings.sites };
    if (this.#limits !== undefined) {
      options.Limits = this.#limits.count;
      siteColumns.AccountLimit = this.#limits.column;
    }
    if (this.#sets !== undefined) {
      options.SiteSets = this.#sets.count;
      siteColumns.SetSite = this.#sets.column;
    }
    return { ...runSettings, options, sites: siteColumns };
  }

  /** True if the jobs have sets of sites. */
  get hasSiteSets(): boolean {
    return this.#sets !== undefined;
  }

  /** Checks a job before it is submitted; returns the number of its set of sites. */
  check(job: SubmittedJob, context: string): number {
    this.#limits?.check(job, context);
    return this.#sets?.siteSetNumberOf(job, context) ?? 0;
  }

  /** Writes the accounts of the job in a row. */
  write(coreRun: CoreRun, row: number, job: SubmittedJob, liveTable: LiveTable): void {
    for (const ownerKind of ACCOUNT_OWNER_KINDS) {
      const column = coreRun.column(ownerKind === 'user' ? 'UserAccount' : 'GroupAccount');
      if (column.length > 0) {
        column[row] = this.#usage[ownerKind].numberOf(Math.max(-1, liveTable.log[ownerKind][row]!));
        if (column[row]! >= this.#capacity) throw makeTooManyAccountsError(ownerKind, this.#capacity);
      }
      if (this.#limits === undefined) continue;
      const account = this.#limits.accountOf(ownerKind, job[ownerKind], liveTable.log[ownerKind][row]!);
      coreRun.column(ownerKind === 'user' ? 'LimitedUser' : 'LimitedGroup')[row] = account;
    }
    if (this.#limits !== undefined) coreRun.column('PieceOf')[row] = row;
  }
}
