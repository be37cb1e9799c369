import { expect, test } from 'vitest';
import { printOptionSettings } from '../../host/options/document.js';
import { addParsedOptionTexts, OPTIONS } from '../../host/options/options.js';
import {
  makeSimulateRequest,
  restoreRequestFromDocument,
  serializeRequestOptions,
} from '../../host/request/request.js';
import { COMPARISON_SHAPE, checkDocumentShape } from '../../host/results/savedFile.js';
import { OPTION_SAMPLES } from '../ways/samples.js';

/** Sample values of every option, as texts by option name. */
const settings = Object.entries(OPTION_SAMPLES).flatMap(([name, { settings }]) =>
  settings.map((optionTexts) => [name, JSON.stringify(optionTexts), optionTexts] as const),
);

test.each(settings)(
  'a request with %s %s is written as JSON of its shape, and read back',
  async (_, __, optionTexts) => {
    const { workload: ___, ...options } = Object.fromEntries(
      Object.entries(optionTexts).filter(([optionName]) => Object.hasOwn(OPTIONS, optionName)),
    );
    const requestFromOptionTexts = addParsedOptionTexts({}, options);
    const request = makeSimulateRequest('log.swf', requestFromOptionTexts);
    const document = JSON.parse(JSON.stringify(serializeRequestOptions(request)));
    expect(checkDocumentShape(COMPARISON_SHAPE, { request: document }, 'comparison.json')).toEqual({
      request: document,
    });
    const restoredRequest = await restoreRequestFromDocument(document);
    expect(restoredRequest).toEqual(request);
    const allOptions = { ...restoredRequest.options, ...restoredRequest.methods[0] };
    expect(printOptionSettings(allOptions)).toEqual(printOptionSettings(requestFromOptionTexts));
  },
);

test('a comparison keeps its methods, metrics and classes', async () => {
  const request = {
    ...{
      command: 'compare' as const,
      workloads: ['a.swf', 'b.swf'],
      options: addParsedOptionTexts({}, { load: '2' }),
    },
    methods: [
      { name: 'new', ...addParsedOptionTexts({}, { discipline: 'easy', order: 'wfp3' }) },
      addParsedOptionTexts({}, { policy: 'ti[sht=0.05,slt=2]' }),
    ],
    ...{ areAll: true, areNamed: false, metrics: ['meanWait'], within: 0.02, replications: 20 },
    ...{ untilDecided: true, showsRatios: false },
    classes: { classings: ['user' as const], shown: { user: ['ann', 'bob'] } },
  };
  const document = JSON.parse(JSON.stringify(serializeRequestOptions(request)));
  expect(document).toEqual({
    ...request,
    options: { load: [2] },
    methods: [{ name: 'new', order: 'wfp3', discipline: 'easy' }, { policy: 'ti[sht=0.05,slt=2]' }],
  });
  expect(checkDocumentShape(COMPARISON_SHAPE, { request: document }, 'comparison.json')).toEqual({
    request: document,
  });
  expect(await restoreRequestFromDocument(document)).toEqual(request);
});
