/**
 * Frozen contract: `npm run freeze` adds new entries to tests/architecture/abi-5.json, and refuses if an
 * existing entry has changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Declarations of the core's interface by name, each with all facts that hosts rely on except its
 * description.
 */
export type AbiContract = Readonly<Record<string, string>>;

type DescribedEntry = { readonly name: string; readonly number: number; readonly [key: string]: unknown };

/** Content of docs/abi.json. */
export interface AbiDescription {
  readonly abiVersion: number;
  readonly features: readonly string[];
  readonly calls: readonly {
    readonly name: string;
    readonly parameters: readonly { readonly type: string }[];
    readonly returns: string;
  }[];
  readonly enumerations: readonly { readonly name: string; readonly members: readonly DescribedEntry[] }[];
  readonly policies: readonly (DescribedEntry & {
    readonly aliases: readonly string[];
    readonly parameters: readonly { readonly name: string }[];
  })[];
  readonly [list: string]: unknown;
}

/** Lists of docs/abi.json that are enumerations of the core. */
const LIST_BY_ENUMERATION = {
  Status: 'statuses',
  Option: 'options',
  Room: 'rooms',
  JobColumn: 'jobColumns',
  Column: 'columns',
  Scalar: 'scalars',
  Metric: 'metrics',
} as const;

/** Formats all facts of an entry except its name and meaning. */
function wordsOf({
  name: _,
  meaning: __,
  summary: ___,
  ...otherFields
}: Readonly<Record<string, unknown>>): string {
  return Object.entries(otherFields)
    .map(([factName, value]) => `${factName} ${value}`)
    .join(', ');
}

/** Extracts the contract from a description, one line per declaration. */
export function makeContractOfDescription(coreDescription: AbiDescription): AbiContract {
  const { abiVersion, features, calls, enumerations, policies } = coreDescription;
  const describedLists = Object.entries(LIST_BY_ENUMERATION).map(([name, list]) => ({
    name,
    members: coreDescription[list] as DescribedEntry[],
  }));
  return {
    abiVersion: `${abiVersion}`,
    features: features.join(' '),
    ...Object.fromEntries(
      calls.map(({ name: descriptionName, parameters, returns }) => [
        `call ${descriptionName}`,
        `(${parameters.map(({ type: descriptionType }) => descriptionType).join(', ')}): ${returns}`,
      ]),
    ),
    ...Object.fromEntries(
      [...describedLists, ...enumerations].flatMap(({ name: descriptionName, members: describedMembers }) =>
        describedMembers.map((member) => [`${descriptionName}.${member.name}`, wordsOf(member)]),
      ),
    ),
    ...Object.fromEntries(
      policies.flatMap(({ parameters, aliases, ...policy }) => [
        ...[policy.name, ...aliases].map((name) => [`policy ${name}`, wordsOf(policy)]),
        ...parameters.map((parameter, i) => [
          `policy ${policy.name}[${parameter.name}]`,
          `${i} ${wordsOf({ ...parameter })}`,
        ]),
      ]),
    ),
  };
}

/** Names of entries of a frozen contract that are missing or different in another. */
export function findBrokenEntries(frozenContract: AbiContract, current: AbiContract): string[] {
  return Object.keys(frozenContract).filter((name) => current[name] !== frozenContract[name]);
}

const urlOfPath = (path: string) => new URL(`../${path}`, import.meta.url);
const readJsonFile = (path: string) => JSON.parse(readFileSync(urlOfPath(path), 'utf8'));

/** Returns the contract of docs/abi.json, and the frozen one. */
export function readContracts(): { now: AbiContract; frozen: AbiContract; path: string } {
  const now = makeContractOfDescription(readJsonFile('docs/abi.json'));
  const path = `tests/architecture/abi-${now.abiVersion}.json`;
  return { now, frozen: readJsonFile(path), path };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { now, frozen, path } = readContracts();
  const brokenEntries = findBrokenEntries(frozen, now);
  if (brokenEntries.length > 0) throw new Error(`frozen, and changed: ${brokenEntries.join(', ')}`);
  writeFileSync(urlOfPath(path), `${JSON.stringify(now, null, 2)}\n`);
}
