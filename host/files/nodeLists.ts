/** Reads the names of the nodes that jobs held, as listed by Slurm's accounting. */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { InputError } from '../errors.js';

/** Column names in the output of `sacct --parsable2`. */
const [JOB_COLUMN, NODES_COLUMN] = ['JobIDRaw', 'NodeList'];
/** First bytes of gzip data. */
const GZIP_MAGIC_BYTES = [0x1f, 0x8b];

/** Maximum number of nodes in one list. */
const MAX_NODES_PER_LIST = 100_000;

/**
 * Expands a host list: `n[1-3,07],gpu2` is n1, n2, n3, n07, gpu2.
 * @throws InputError for unbalanced brackets and invalid ranges.
 */
function expandHostList(hostListText: string): string[] {
  const hostNames: string[] = [];
  for (const hostPattern of hostListText.split(/,(?![^[]*\])/)) {
    const patternMatch = /^([^[\]]*)(?:\[([^[\]]*)\])?([^[\]]*)$/.exec(hostPattern);
    if (patternMatch === null) throw new InputError(`host list '${hostListText}': brackets do not match`);
    const [, prefix = '', rangesText, suffix = ''] = patternMatch;
    if (rangesText === undefined) {
      hostNames.push(prefix);
      continue;
    }
    for (const rangeText of rangesText.split(',')) {
      const [firstText = '', lastText = firstText] = rangeText.split('-');
      if (
        !/^\d+$/.test(firstText) ||
        !/^\d+$/.test(lastText) ||
        Number(lastText) - Number(firstText) > MAX_NODES_PER_LIST
      ) {
        throw new InputError(
          `host list '${hostListText}': expected numbers in brackets, found '${rangeText}'`,
        );
      }
      for (let hostNumber = Number(firstText); hostNumber <= Number(lastText); hostNumber++) {
        hostNames.push(`${prefix}${`${hostNumber}`.padStart(firstText.length, '0')}${suffix}`);
      }
    }
  }
  return hostNames;
}

/**
 * Reads the nodes of each job, by job number, from the output of `sacct --parsable2` with NodeList and
 * JobIDRaw.
 * @returns undefined for any other file, or without nodes.
 */
export async function readNodeLists(
  path: string,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const isGzipPacked = GZIP_MAGIC_BYTES.every((byte, i) => bytes[i] === byte);
  const lines = (isGzipPacked ? gunzipSync(bytes) : bytes).toString('utf8').split('\n');
  const header = lines[0]!.trimEnd().split('|');
  const [jobColumn, nodesColumn] = [header.indexOf(JOB_COLUMN!), header.indexOf(NODES_COLUMN!)];
  if (jobColumn < 0 || nodesColumn < 0) return undefined;
  const nodesByJob = new Map<string, readonly string[]>();
  for (const line of lines.slice(1)) {
    const lineFields = line.split('|');
    const nodesText = lineFields[nodesColumn];
    if (
      lineFields.length !== header.length ||
      nodesText === undefined ||
      /^(None assigned)?$/.test(nodesText)
    )
      continue;
    nodesByJob.set(lineFields[jobColumn]!, expandHostList(nodesText));
  }
  return nodesByJob.size === 0 ? undefined : nodesByJob;
}
