/**
 * Arrays of the loops over lines (lineLoops.ts), and what is where in them: `bytes` holds lines, and the bytes of known texts from `POOL` on;
 * `ints` the layout of the lines and all whole numbers; `doubles` the values.
 */
import type { i32 } from './types.js';

/** Most lines that are read at a time, and values of a line: value k is in the slot k. */
export const ROWS: i32 = 256;
export const SLOTS: i32 = 28;

/** Most known texts, and by how many hashes they are found: a power of two. */
export const MOST_TEXTS: i32 = 4096;
export const BUCKETS: i32 = 8192;

/** Most pairs of a line whose keys are first compared with those of the line before. */
export const MOST_PAIRS: i32 = 64;

/** Known texts in `bytes`, behind lines with some bytes to spare. */
export const POOL: i32 = 327_744;

/** Where their room ends; some bytes behind it are for the caller. */
export const POOL_LIMIT: i32 = POOL + 131_072;
export const BYTES: i32 = POOL_LIMIT + 64;

/** The layout in `ints`: what holds for all lines, then `FIELD` numbers for each field and each key. */
export const SEPARATOR: i32 = 0;

/** How many fields a line has, and where their descriptions end. */
export const COUNT: i32 = 1;
export const FIELDS_END: i32 = 2;

/** Where the descriptions of keys end. The pairs are behind the last field; there are none if both ends are the same. */
export const KEYS_END: i32 = 3;

/** 1: fields may be quoted, numbers end with `.0`, dates have a blank in the middle and `Z` behind. */
export const IS_TABLE: i32 = 4;

/** 1: a job called 7.0 is a step. */
export const HAS_STEPS: i32 = 5;

/** 1: limits that are numbers are minutes. */
export const IN_MINUTES: i32 = 6;

/** The limit, in seconds, that means none; -1: no limit does. */
export const NEVER: i32 = 7;

/** 1: dates are in a time zone. */
export const IS_LOCAL: i32 = 8;

/** The first description: the kind of the field, its slot (of `SKIPPED`: how many fields that is), its place in the line (of a key: 1 if its value is NaN where it is absent, not -1). */
export const FIELDS_FROM: i32 = 9;
export const FIELD: i32 = 3;

/** How many pairs the line before had, and for each where its key was and where that is described (0: nowhere). */
export const ORDER: i32 = 256;

/** Where each line begins, and where the next one does; bits for each line; two numbers for each value: where its text is. */
export const STARTS: i32 = ORDER + 1 + 2 * MOST_PAIRS;
export const FLAGS: i32 = STARTS + ROWS + 1;
export const PLACES: i32 = FLAGS + ROWS;

/** How many texts are known, and where their bytes end. */
export const TEXTS: i32 = PLACES + 2 * ROWS * SLOTS;
export const POOL_END: i32 = TEXTS + 1;

/** Known texts by hash, each counted from 1, and four numbers for each: hash, slot, where its bytes are. */
export const BUCKET: i32 = TEXTS + 2;
export const ENTRIES: i32 = BUCKET + BUCKETS;

/** The last date of each slot: its text in three numbers, and its day. */
export const DAYS: i32 = ENTRIES + 4 * MOST_TEXTS;
export const INTS: i32 = DAYS + 4 * SLOTS;

/** Values in `doubles`: those of lines, and those of known texts. */
export const KNOWN: i32 = ROWS * SLOTS;
export const DOUBLES: i32 = KNOWN + MOST_TEXTS;

/** Kinds of fields. */
export const SKIPPED: i32 = 0;

/** A whole number; in the second and the third kind not empty, in the third maybe negative. */
export const WHOLE: i32 = 1;
export const NUMBER: i32 = 2;
export const SIGNED: i32 = 3;

/** The number of a job, and what people call it, such as 7_1; 7.server. */
export const JOB: i32 = 4;
export const TASK: i32 = 5;
export const SERVER_JOB: i32 = 6;

/** A date such as 2026-03-05T10:00:00, seconds since 1970, or a known text. */
export const DATE: i32 = 7;

/** A date such as 03/05/2026 10:00:00. */
export const CLOCK: i32 = 8;

/** Seconds, or a duration such as 1-02:03:04; as a limit also a known text. */
export const DURATION: i32 = 9;
export const LIMIT: i32 = 10;
export const TEXT: i32 = 11;

/** Bits of a line: it is none of the layout, it is a step of a job, it has texts that are not known, the date in slot 0 has a time zone. */
export const IS_ODD: i32 = 1;
export const IS_STEP: i32 = 2;
export const HAS_NEW: i32 = 4;
export const FIRST_LOCAL: i32 = 8;

/** The value of a text that is not known; of one that makes its line odd; of an empty field. */
export const NEW_TEXT: i32 = -3;
export const REFUSED: i32 = -2;
export const NOTHING: i32 = -1;

/** The slot of known texts that are keys; their values are the places of their descriptions. */
export const KEY: i32 = 100;

/** Bytes that mean something. */
export const LINE_FEED: i32 = 10;
export const RETURN: i32 = 13;
export const SPACE: i32 = 32;
export const QUOTE: i32 = 34;
export const PLUS: i32 = 43;
export const DASH: i32 = 45;
export const POINT: i32 = 46;
export const SLASH: i32 = 47;
export const ZERO: i32 = 48;
export const NINE: i32 = 57;
export const COLON: i32 = 58;
export const EQUALS: i32 = 61;
export const LETTER_T: i32 = 84;
export const LETTER_Z: i32 = 90;
export const UNDERSCORE: i32 = 95;

/** The first byte behind printable ASCII. */
export const DELETE: i32 = 127;
