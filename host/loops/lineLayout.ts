/**
 * Memory layout for the line reader (lineLoops.ts): `bytes` holds lines and, from `TEXT_POOL_OFFSET` on,
 * known texts; `ints` holds the layout of the lines and whole numbers; `doubles` holds the values.
 */
import type { i32 } from './types.js';

/** Maximum number of lines read at a time, and number of values per line; value k is in slot k. */
export const ROWS_PER_BATCH: i32 = 256;
export const FIELD_SLOTS: i32 = 28;

/** Maximum number of known texts, and number of hash buckets (a power of two). */
export const MAX_KNOWN_TEXT_COUNT: i32 = 4096;
export const HASH_BUCKET_COUNT: i32 = 8192;

/** Maximum number of key-value pairs per line whose keys are first compared with the previous line. */
export const MAX_KEY_PAIRS: i32 = 64;

/** Offset of known texts in `bytes`, behind the lines with some spare bytes. */
export const TEXT_POOL_OFFSET: i32 = 327_744;

/** End of the bytes reserved for known texts; some bytes behind it are for the caller. */
export const TEXT_POOL_END_OFFSET: i32 = TEXT_POOL_OFFSET + 131_072;
export const LINE_BYTES_ARRAY_LENGTH: i32 = TEXT_POOL_END_OFFSET + 64;

/**
 * Index in `ints` of the separator of fields, the first of the settings for all lines; `FIELD_ENTRY_LENGTH`
 * numbers for each field and each key follow these.
 */
export const FIELD_SEPARATOR_INDEX: i32 = 0;

/** Indices in the layout: number of fields per line, and position after the last field description. */
export const FIELD_COUNT_INDEX: i32 = 1;
export const FIELD_DESCRIPTIONS_END_INDEX: i32 = 2;

/** End of the key descriptions. Pairs follow the last field; there are none if both ends are equal. */
export const KEY_DESCRIPTIONS_END_INDEX: i32 = 3;

/**
 * Flag: 1 if fields may be quoted, numbers may end with `.0`, and dates may contain a blank and end with `Z`.
 */
export const IS_TABLE_INDEX: i32 = 4;

/** Flag: 1 if a job id such as 7.0 denotes a job step. */
export const HAS_JOB_STEPS_INDEX: i32 = 5;

/** Flag: 1 if numeric time limits are in minutes. */
export const LIMIT_IN_MINUTES_INDEX: i32 = 6;

/** Time limit in seconds that means no limit; -1: there is no such value. */
export const UNLIMITED_VALUE_INDEX: i32 = 7;

/** Flag: 1 if dates are in a time zone. */
export const IS_LOCAL_TIME_INDEX: i32 = 8;

/**
 * Index of the first field description: kind, slot (for `FIELD_KIND_SKIPPED`, the number of fields), and
 * position in the line (for a key, 1 if a missing value is NaN instead of -1).
 */
export const FIRST_FIELD_INDEX: i32 = 9;
export const FIELD_ENTRY_LENGTH: i32 = 3;

/**
 * Number of pairs in the previous line, and for each the position of its key and of the key's description (0:
 * none).
 */
export const KEY_ORDER_OFFSET: i32 = 256;

/** Offset of line starts, followed by flags of each line and, for each value, the position of its text. */
export const LINE_STARTS_OFFSET: i32 = KEY_ORDER_OFFSET + 1 + 2 * MAX_KEY_PAIRS;
export const LINE_FLAGS_OFFSET: i32 = LINE_STARTS_OFFSET + ROWS_PER_BATCH + 1;
export const FIELD_POSITIONS_OFFSET: i32 = LINE_FLAGS_OFFSET + ROWS_PER_BATCH;

/** Indices of the number of known texts, and of the end of their bytes. */
export const KNOWN_TEXT_COUNT_INDEX: i32 = FIELD_POSITIONS_OFFSET + 2 * ROWS_PER_BATCH * FIELD_SLOTS;
export const TEXT_POOL_END_INDEX: i32 = KNOWN_TEXT_COUNT_INDEX + 1;

/**
 * Hash table of known texts (numbered from 1), followed by four numbers for each text: hash, slot, and
 * position of its bytes.
 */
export const HASH_BUCKETS_OFFSET: i32 = KNOWN_TEXT_COUNT_INDEX + 2;
export const KNOWN_TEXT_ENTRIES_OFFSET: i32 = HASH_BUCKETS_OFFSET + HASH_BUCKET_COUNT;

/** Cache of the last date of each slot: its text as three numbers, and its day. */
export const CACHED_DATES_OFFSET: i32 = KNOWN_TEXT_ENTRIES_OFFSET + 4 * MAX_KNOWN_TEXT_COUNT;
export const LINE_INTS_ARRAY_LENGTH: i32 = CACHED_DATES_OFFSET + 4 * FIELD_SLOTS;

/** Offset of the values of known texts in `doubles`, behind the values of the lines. */
export const KNOWN_VALUES_OFFSET: i32 = ROWS_PER_BATCH * FIELD_SLOTS;
export const LINE_DOUBLES_ARRAY_LENGTH: i32 = KNOWN_VALUES_OFFSET + MAX_KNOWN_TEXT_COUNT;

/** How a field of a log line is read; here: not at all. */
export const FIELD_KIND_SKIPPED: i32 = 0;

/** Kinds of whole numbers: from 0 or empty; from 0; of either sign. */
export const FIELD_KIND_WHOLE_NUMBER: i32 = 1;
export const FIELD_KIND_REQUIRED_NUMBER: i32 = 2;
export const FIELD_KIND_SIGNED_NUMBER: i32 = 3;

/** Kinds of job ids: the number, and ids such as 7_1 or 7.server. */
export const FIELD_KIND_JOB_ID: i32 = 4;
export const FIELD_KIND_TASK_ID: i32 = 5;
export const FIELD_KIND_SERVER_JOB_ID: i32 = 6;

/** A date such as 2026-03-05T10:00:00, seconds since 1970, or a known text. */
export const FIELD_KIND_DATE: i32 = 7;

/** A date such as 03/05/2026 10:00:00. */
export const FIELD_KIND_SLASH_DATE: i32 = 8;

/** Kinds of durations: seconds, or a duration such as 1-02:03:04; as time limit also a known text. */
export const FIELD_KIND_DURATION: i32 = 9;
export const FIELD_KIND_TIME_LIMIT: i32 = 10;
export const FIELD_KIND_TEXT: i32 = 11;

/**
 * Flags of a line: not in the layout; a job step; contains unknown texts; a date in slot 0 has a time zone.
 */
export const IRREGULAR_LINE_FLAG: i32 = 1;
export const JOB_STEP_LINE_FLAG: i32 = 2;
export const NEW_TEXT_FLAG: i32 = 4;
export const FIRST_LOCAL_TIME_FLAG: i32 = 8;

/** Values of texts: unknown text; text that only the slow reader can read; empty field. */
export const UNKNOWN_TEXT_RESULT: i32 = -3;
export const REFUSED_TEXT_RESULT: i32 = -2;
export const NO_VALUE_RESULT: i32 = -1;

/** Slot of known texts that are keys; their values are positions of key descriptions. */
export const KEY_TEXT_SLOT: i32 = 100;

/** Codes of characters with a meaning. */
export const LINE_FEED_CHARACTER: i32 = 10;
export const CARRIAGE_RETURN_CHARACTER: i32 = 13;
export const SPACE_CHARACTER: i32 = 32;
export const QUOTE_CHARACTER: i32 = 34;
export const PLUS_CHARACTER: i32 = 43;
export const DASH_CHARACTER: i32 = 45;
export const POINT_CHARACTER: i32 = 46;
export const SLASH_CHARACTER: i32 = 47;
export const ZERO_CHARACTER: i32 = 48;
export const NINE_CHARACTER: i32 = 57;
export const COLON_CHARACTER: i32 = 58;
export const EQUALS_CHARACTER: i32 = 61;
export const LETTER_T_CHARACTER: i32 = 84;
export const LETTER_Z_CHARACTER: i32 = 90;
export const UNDERSCORE_CHARACTER: i32 = 95;

/** Code of the first byte behind printable ASCII. */
export const DELETE_CHARACTER: i32 = 127;
