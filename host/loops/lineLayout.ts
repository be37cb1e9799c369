/**
 * Arrays of the loops over lines (lineLoops.ts), and what is where in them: `bytes` holds lines, and the bytes of known texts from `TEXT_POOL_OFFSET` on;
 * `ints` the layout of the lines and all whole numbers; `doubles` the values.
 */
import type { i32 } from './types.js';

/** Most lines that are read at a time, and values of a line: value k is in the slot k. */
export const ROWS_PER_BATCH: i32 = 256;
export const FIELD_SLOTS: i32 = 28;

/** Most known texts, and by how many hashes they are found: a power of two. */
export const MAX_KNOWN_TEXT_COUNT: i32 = 4096;
export const HASH_BUCKET_COUNT: i32 = 8192;

/** Most pairs of a line whose keys are first compared with those of the line before. */
export const MAX_KEY_PAIRS: i32 = 64;

/** Known texts in `bytes`, behind lines with some bytes to spare. */
export const TEXT_POOL_OFFSET: i32 = 327_744;

/** End of the bytes reserved for known texts; some bytes behind it are for the caller. */
export const TEXT_POOL_END_OFFSET: i32 = TEXT_POOL_OFFSET + 131_072;
export const LINE_BYTES_ARRAY_LENGTH: i32 = TEXT_POOL_END_OFFSET + 64;

/** The layout in `ints`: what holds for all lines, then `FIELD_ENTRY_LENGTH` numbers for each field and each key. */
export const FIELD_SEPARATOR_INDEX: i32 = 0;

/** Indices in the layout: number of fields per line, and position after the last field description. */
export const FIELD_COUNT_INDEX: i32 = 1;
export const FIELD_DESCRIPTIONS_END_INDEX: i32 = 2;

/** Where the descriptions of keys end. The pairs are behind the last field; there are none if both ends are the same. */
export const KEY_DESCRIPTIONS_END_INDEX: i32 = 3;

/** 1: fields may be quoted, numbers end with `.0`, dates have a blank in the middle and `Z` behind. */
export const IS_TABLE_INDEX: i32 = 4;

/** 1: a job called 7.0 is a step. */
export const HAS_JOB_STEPS_INDEX: i32 = 5;

/** 1: limits that are numbers are minutes. */
export const LIMIT_IN_MINUTES_INDEX: i32 = 6;

/** The limit, in seconds, that means none; -1: no limit does. */
export const UNLIMITED_VALUE_INDEX: i32 = 7;

/** 1: dates are in a time zone. */
export const IS_LOCAL_TIME_INDEX: i32 = 8;

/** The first description: the kind of the field, its slot (of `FIELD_KIND_SKIPPED`: how many fields that is), its place in the line (of a key: 1 if its value is NaN where it is absent, not -1). */
export const FIRST_FIELD_INDEX: i32 = 9;
export const FIELD_ENTRY_LENGTH: i32 = 3;

/** How many pairs the line before had, and for each where its key was and where that is described (0: nowhere). */
export const KEY_ORDER_OFFSET: i32 = 256;

/** Where each line begins, and where the next one does; bits for each line; two numbers for each value: where its text is. */
export const LINE_STARTS_OFFSET: i32 = KEY_ORDER_OFFSET + 1 + 2 * MAX_KEY_PAIRS;
export const LINE_FLAGS_OFFSET: i32 = LINE_STARTS_OFFSET + ROWS_PER_BATCH + 1;
export const FIELD_POSITIONS_OFFSET: i32 = LINE_FLAGS_OFFSET + ROWS_PER_BATCH;

/** Indices of the number of known texts, and of the end of their bytes. */
export const KNOWN_TEXT_COUNT_INDEX: i32 = FIELD_POSITIONS_OFFSET + 2 * ROWS_PER_BATCH * FIELD_SLOTS;
export const TEXT_POOL_END_INDEX: i32 = KNOWN_TEXT_COUNT_INDEX + 1;

/** Known texts by hash, each counted from 1, and four numbers for each: hash, slot, where its bytes are. */
export const HASH_BUCKETS_OFFSET: i32 = KNOWN_TEXT_COUNT_INDEX + 2;
export const KNOWN_TEXT_ENTRIES_OFFSET: i32 = HASH_BUCKETS_OFFSET + HASH_BUCKET_COUNT;

/** The last date of each slot: its text in three numbers, and its day. */
export const CACHED_DATES_OFFSET: i32 = KNOWN_TEXT_ENTRIES_OFFSET + 4 * MAX_KNOWN_TEXT_COUNT;
export const LINE_INTS_ARRAY_LENGTH: i32 = CACHED_DATES_OFFSET + 4 * FIELD_SLOTS;

/** Values in `doubles`: those of lines, and those of known texts. */
export const KNOWN_VALUES_OFFSET: i32 = ROWS_PER_BATCH * FIELD_SLOTS;
export const LINE_DOUBLES_ARRAY_LENGTH: i32 = KNOWN_VALUES_OFFSET + MAX_KNOWN_TEXT_COUNT;

/** Kinds of fields. */
export const FIELD_KIND_SKIPPED: i32 = 0;

/** A whole number; in the second and the third kind not empty, in the third maybe negative. */
export const FIELD_KIND_WHOLE_NUMBER: i32 = 1;
export const FIELD_KIND_NUMBER: i32 = 2;
export const FIELD_KIND_SIGNED_NUMBER: i32 = 3;

/** The number of a job, and what people call it, such as 7_1; 7.server. */
export const FIELD_KIND_JOB_ID: i32 = 4;
export const FIELD_KIND_TASK_ID: i32 = 5;
export const FIELD_KIND_SERVER_JOB_ID: i32 = 6;

/** A date such as 2026-03-05T10:00:00, seconds since 1970, or a known text. */
export const FIELD_KIND_DATE: i32 = 7;

/** A date such as 03/05/2026 10:00:00. */
export const FIELD_KIND_SLASH_DATE: i32 = 8;

/** Seconds, or a duration such as 1-02:03:04; as a limit also a known text. */
export const FIELD_KIND_DURATION: i32 = 9;
export const FIELD_KIND_TIME_LIMIT: i32 = 10;
export const FIELD_KIND_TEXT: i32 = 11;

/** Bits of a line: it is none of the layout, it is a step of a job, it has texts that are not known, the date in slot 0 has a time zone. */
export const IRREGULAR_LINE_FLAG: i32 = 1;
export const JOB_STEP_LINE_FLAG: i32 = 2;
export const NEW_TEXT_FLAG: i32 = 4;
export const FIRST_LOCAL_TIME_FLAG: i32 = 8;

/** The value of a text that is not known; of one that makes its line odd; of an empty field. */
export const UNKNOWN_TEXT_RESULT: i32 = -3;
export const REFUSED_TEXT_RESULT: i32 = -2;
export const NO_VALUE_RESULT: i32 = -1;

/** The slot of known texts that are keys; their values are the places of their descriptions. */
export const KEY_TEXT_SLOT: i32 = 100;

/** Bytes that mean something. */
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

/** The first byte behind printable ASCII. */
export const DELETE_CHARACTER: i32 = 127;
