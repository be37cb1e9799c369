import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { populationOfStudyOptions } from '../../host/statistics/population.js';
import { expandStudy, optionsVaryingAlongAxis, parseSettingOptions } from '../../host/study/expand.js';
import { parseStudy, type Study } from '../../host/study/study.js';

/**
 * Sentences on replications must name what varies between them, in every study of the package and
 * in every kind of sweep.
 */

function nameOfReplications(study: Study): string | undefined {
  if (study.draws === undefined) return undefined;
  const [firstSetting] = expandStudy(study, 'log.swf');
  return populationOfStudyOptions(
    parseSettingOptions(firstSetting),
    optionsVaryingAlongAxis(study, study.draws.axis),
  ).copies;
}

interface StudyFile {
  readonly draws?: { readonly axis?: string };
  readonly replications?: { readonly axis?: string };
  readonly simulate?: Record<string, string>;
  readonly axes?: Record<string, object>;
  readonly parts?: Record<string, { simulate?: Record<string, string>; axes?: Record<string, object> }>;
}

/** Options of a study that use the axis of its replications, from its text. */
function variedOptionsIn(studyFile: StudyFile): string[] {
  const axis = studyFile.draws?.axis ?? studyFile.replications?.axis ?? 'replication';
  const studyLayers = [studyFile, ...Object.values(studyFile.parts ?? {})];
  const axes = studyLayers.flatMap((studyLayer) => Object.entries(studyLayer.axes ?? {}));
  const variedThroughAxes = axes.flatMap(([name, values]) =>
    JSON.stringify(values).includes(`{${axis}}`) ? [name] : [],
  );
  const options = studyLayers.flatMap((studyLayer) => Object.entries(studyLayer.simulate ?? {}));
  const axisNames = [axis, ...variedThroughAxes].map((name) => `{${name}}`);
  return options.flatMap(([name, text]) =>
    axisNames.some((axisName) => String(text).includes(axisName)) ? [name] : [],
  );
}

describe('studies of the package', () => {
  const files = readdirSync('studies').filter((name) => name.endsWith('.yaml'));
  test.each(files)('%s', async (file) => {
    const studyText = readFileSync(`studies/${file}`, 'utf8');
    const copies = nameOfReplications(await parseStudy(studyText, file));
    const studyFile = parse(studyText) as StudyFile;
    if (studyFile.draws === undefined && studyFile.replications === undefined) {
      expect(copies).toBeUndefined();
      return;
    }
    const variedOptions = variedOptionsIn(studyFile);
    const isShakenStudy =
      variedOptions.includes('replication') ||
      (studyFile.replications !== undefined && variedOptions.length === 0);
    const isModel = !studyText.includes('workload: $TRACE');
    expect(copies!.includes('shaken')).toBe(isShakenStudy && !isModel && !studyText.includes('resample'));
    expect(copies!.includes('samples of this model with different seeds')).toBe(
      isModel && (isShakenStudy || variedOptions.includes('workload')),
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
  expect(nameOfReplications(await sweep(simulate))).toBe(copies);
});
