/** Logs that were dropped or chosen, kept in this browser, so that a reload, Back or a link shows them again. They go nowhere. */
import { formatNumber } from '../../host/format/numbers.js';

const [DATABASE, LOGS] = ['gridalloc explorer', 'logs'];
/** The most bytes of all kept logs together, as given. */
export const MOST_BYTES = 100_000_000;
const sizeText = (bytes: number) => `${formatNumber(bytes / 1_000_000, 1)} MB`;

interface KeptLog {
  readonly name: string;
  readonly file: Blob;
  /** When it was given last, in milliseconds since 1970. */
  readonly at: number;
}

/** The result of a database request. */
function answerOf<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Works with the store of logs, and waits until that is done. */
async function withLogs<Answer>(
  mode: IDBTransactionMode,
  work: (logs: IDBObjectStore) => Promise<Answer>,
): Promise<Answer> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(LOGS, { keyPath: 'name' });
  const database = await answerOf(opening);
  try {
    const transaction = database.transaction(LOGS, mode);
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const answer = await work(transaction.objectStore(LOGS));
    await done;
    return answer;
  } finally {
    database.close();
  }
}

/**
 * Keeps a log under its name, in place of the oldest ones where there is no room for all.
 * @returns why it is not kept, in a sentence; empty where it is.
 */
export async function keepLog({ name, file }: Pick<KeptLog, 'name' | 'file'>): Promise<string> {
  if (file.size > MOST_BYTES)
    return `${name} is not kept for a reload: it has ${sizeText(file.size)}, and this page keeps at most ${sizeText(MOST_BYTES)}.`;
  try {
    await withLogs('readwrite', async (logs) => {
      const others = ((await answerOf(logs.getAll())) as KeptLog[]).filter((each) => each.name !== name);
      others.sort((a, b) => b.at - a.at);
      let bytes = file.size;
      for (const other of others) {
        bytes += other.file.size;
        if (bytes > MOST_BYTES) logs.delete(other.name);
      }
      logs.put({ name, file, at: Date.now() } satisfies KeptLog);
    });
    return '';
  } catch (error) {
    return `${name} is not kept for a reload: ${error instanceof Error ? error.message : 'this browser keeps nothing here'}`;
  }
}

/** The names of the logs that are kept; none where this browser keeps nothing. */
export async function keptNames(): Promise<readonly string[]> {
  try {
    return (await withLogs('readonly', (logs) => answerOf(logs.getAllKeys()))).map(String);
  } catch {
    return [];
  }
}

/** The log of a name as it was given; undefined where none is kept. */
export async function keptLog(name: string): Promise<File | undefined> {
  try {
    const kept = (await withLogs('readonly', (logs) => answerOf(logs.get(name)))) as KeptLog | undefined;
    return kept && new File([kept.file], name);
  } catch {
    return undefined;
  }
}

/** Forgets all logs that are kept. */
export async function forgetLogs(): Promise<void> {
  await withLogs('readwrite', async (logs) => {
    logs.clear();
  });
}
