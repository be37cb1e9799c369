/**
 * Stores opened logs in this browser's database, so that reload, Back and links can show them again. Logs are
 * never uploaded.
 */
import { formatNumber } from '../../host/format/numbers.js';

const [DATABASE_NAME, LOGS_STORE] = ['gridalloc explorer', 'logs'];
/** Largest total size of stored logs, in bytes as opened. */
export const MAX_STORED_LOG_BYTES = 100_000_000;
const formatMegabytes = (bytes: number) => `${formatNumber(bytes / 1_000_000, 1)} MB`;

interface StoredLog {
  readonly name: string;
  readonly file: Blob;
  /** Time of the last use, in milliseconds since 1970. */
  readonly at: number;
}

/** Awaits a database request. */
function awaitDatabaseRequest<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Opens the store of logs, runs a task, and waits for the transaction. */
async function runWithLogStore<Answer>(
  transactionMode: IDBTransactionMode,
  useLogStore: (logs: IDBObjectStore) => Promise<Answer>,
): Promise<Answer> {
  const openRequest = indexedDB.open(DATABASE_NAME, 1);
  openRequest.onupgradeneeded = () => openRequest.result.createObjectStore(LOGS_STORE, { keyPath: 'name' });
  const database = await awaitDatabaseRequest(openRequest);
  try {
    const transaction = database.transaction(LOGS_STORE, transactionMode);
    const transactionCompleted = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const storedResult = await useLogStore(transaction.objectStore(LOGS_STORE));
    await transactionCompleted;
    return storedResult;
  } finally {
    database.close();
  }
}

/**
 * Stores a log under its name; the oldest logs are deleted if the space does not suffice.
 * @returns the reason why the log is not stored, or an empty string.
 */
export async function storeLog({ name, file }: Pick<StoredLog, 'name' | 'file'>): Promise<string> {
  if (file.size > MAX_STORED_LOG_BYTES)
    return `${name} is not kept for a reload: it has ${formatMegabytes(file.size)}, and this page keeps at most ${formatMegabytes(MAX_STORED_LOG_BYTES)}.`;
  try {
    await runWithLogStore('readwrite', async (logs) => {
      const otherStoredLogs = ((await awaitDatabaseRequest(logs.getAll())) as StoredLog[]).filter(
        (storedLog) => storedLog.name !== name,
      );
      otherStoredLogs.sort((a, b) => b.at - a.at);
      let bytes = file.size;
      for (const otherStoredLog of otherStoredLogs) {
        bytes += otherStoredLog.file.size;
        if (bytes > MAX_STORED_LOG_BYTES) logs.delete(otherStoredLog.name);
      }
      logs.put({ name, file, at: Date.now() } satisfies StoredLog);
    });
    return '';
  } catch (error) {
    return `${name} is not kept for a reload: ${error instanceof Error ? error.message : 'this browser keeps nothing here'}`;
  }
}

/** Returns the names of the stored logs; empty if the browser stores nothing. */
export async function listStoredLogNames(): Promise<readonly string[]> {
  try {
    return (await runWithLogStore('readonly', (logs) => awaitDatabaseRequest(logs.getAllKeys()))).map(String);
  } catch {
    return [];
  }
}

/** Returns a stored log in its original form; undefined if there is none. */
export async function loadStoredLog(logName: string): Promise<File | undefined> {
  try {
    const storedLog = (await runWithLogStore('readonly', (logs) =>
      awaitDatabaseRequest(logs.get(logName)),
    )) as StoredLog | undefined;
    return storedLog && new File([storedLog.file], logName);
  } catch {
    return undefined;
  }
}

/** Deletes all stored logs. */
export async function deleteStoredLogs(): Promise<void> {
  await runWithLogStore('readwrite', async (logs) => {
    logs.clear();
  });
}
