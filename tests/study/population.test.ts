import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { makePopulationOfStudyOptions } from '../../host/statistics/population.js';
import { expandStudy, listOptionsVaryingAlongAxis, parseSettingOptions } from '../../host/study/expand.js';
import { parseStudy, type Study } from '../../host/study/study.js';

/**
 * Sentences on replications must name what varies between them, in every study of the package and
 * in every kind of sweep.
 */

function phraseForReplications(study: Study): string | undefined {
  if (study.draws === undefined) return undefined;
  const [firstSetting] = expandStudy(study, 'log.swf');
  return makePopulationOfStudyOptions(
    parseSettingOptions(firstSetting),
    listOptionsVaryingAlongAxis(study, study.draws.axis),
  ).copies;
}

interface StudyDocument {
  readonly draws?: { readonly axis?: string };
  readonly replications?: { readonly axis?: string };
  readonly simulate?: Record<string, string>;
  readonly axes?: Record<string, object>;
  readonly parts?: Record<string, { simulate?: Record<string, string>; axes?: Record<string, object> }>;
}

/** Options of a study that use the axis of its replications, from its text. */
function findOptionsVariedByReplication(parsedStudyFile: StudyDocument): string[] {
  const axis = parsedStudyFile.draws?.axis ?? parsedStudyFile.replications?.axis ?? 'replication';
  const studyWithItsParts = [parsedStudyFile, ...Object.values(parsedStudyFile.parts ?? {})];
  const axes = studyWithItsParts.flatMap((studyPart) => Object.entries(studyPart.axes ?? {}));
  const axesVaryingByReplication = axes.flatMap(([name, values]) =>
    JSON.stringify(values).includes(`{${axis}}`) ? [name] : [],
  );
  const options = studyWithItsParts.flatMap((studyPart) => Object.entries(studyPart.simulate ?? {}));
  const axisNames = [axis, ...axesVaryingByReplication].map((name) => `{${name}}`);
  return options.flatMap(([name, text]) =>
    axisNames.some((axisName) => String(text).includes(axisName)) ? [name] : [],
  );
}

describe('studies of the package', () => {
  const files = readdirSync('studies').filter((name) => name.endsWith('.yaml'));
  test.each(files)('%s', async (file) => {
    const studyText = readFileSync(`studies/${file}`, 'utf8');
    const copies = phraseForReplications(await parseStudy(studyText, file));
    const parsedStudyFile = parse(studyText) as StudyDocument;
    if (parsedStudyFile.draws === undefined && parsedStudyFile.replications === undefined) {
      expect(copies).toBeUndefined();
      return;
    }
    const variedOptions = findOptionsVariedByReplication(parsedStudyFile);
    const areReplicationsShaken =
      variedOptions.includes('replication') ||
      (parsedStudyFile.replications !== undefined && variedOptions.length === 0);
    const isModelWorkload = !studyText.includes('workload: $TRACE');
    expect(copies!.includes('shaken')).toBe(
      areReplicationsShaken && !isModelWorkload && !studyText.includes('resample'),
    );
    expect(copies!.includes('samples of this model with different seeds')).toBe(
      isModelWorkload && (areReplicationsShaken || variedOptions.includes('workload')),
    );
    expect(copies!.startsWith('speed vectors')).toBe(variedOptions.join() === 'speeds');
  });
});

const sweep = (simulate: Record<string, string>) =>
  parseStudy(
    JSON.stringify({
      title: 'A sweep',
      simulate,
      axes: { policy: ['best-fit', 'fastest-first'], draw: [1, 2, 3] },
      draws: { axis: 'draw' },
      measures: { art: { metric: 'averageResponseTime' } },
    }),
    'sweep.yaml',
  );

test.each([
  [
    {
      workload: 'lublin99[jobs=100,seed=1]',
      sites: '8,128',
      speeds: 'draw[sh=0.1,seed={draw}]',
      policy: '{policy}',
    },
    'speed vectors',
  ],
  [
    { workload: 'lublin99[jobs=100,seed={draw}]', policy: '{policy}' },
    'samples of this model with different seeds',
  ],
  [
    { workload: 'lublin99[jobs=100,seed={draw}]', speeds: 'draw[sh=0.1,seed={draw}]', policy: '{policy}' },
    'samples of this model with different seeds, with speeds that differ too',
  ],
  [
    { workload: 'log.swf', estimates: 'normal:0.2:{draw}', policy: '{policy}' },
    'replications that differ in estimates',
  ],
  [{ workload: 'log.swf', replication: '{draw}', policy: '{policy}' }, 'copies of this log, shaken by ±30 s'],
] as const)('%j', async (simulate, copies) => {
  expect(phraseForReplications(await sweep(simulate))).toBe(copies);
});
