import { expect, test } from 'vitest';
import { generatedPages } from '../../scripts/generated.js';

/** What tables of the code say stands in the docs as they say it; `npm run generate` writes it. */

test.each((await generatedPages()).map((page) => [page.path, page] as const))(
  '%s',
  (_, { found, expected }) => {
    expect(found).toBe(expected);
  },
);
