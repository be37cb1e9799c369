/** Report on the candidate policies at the decision that started a job. */
import { expect, test } from 'vitest';
import { listCandidatePolicies, printPolicy } from '../../host/core/policies.js';
import { formatExplanation } from '../../host/reports/waitReasons.js';
import { makeTerminalColors } from '../../host/view/terminal.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { randomDynamicCase } from '../reference/cases/dynamic.js';
import { recordAndExplainJob } from './explainCase.js';

test('the candidate in force is the one that was chosen last, and scores are those of its trial', () => {
  let trials = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const { jobs, options } = randomDynamicCase(seed);
    const job = new SeededDraws(seed).below(jobs.length);
    const { recorder, explanation } = recordAndExplainJob(jobs, options, job);
    const { decision } = explanation.waits.at(-1)!;
    const { time, candidates } = decision.trial!;
    const location = `case ${seed}`;
    const submitOf = ([index]: readonly [number, number]) => jobs[index].submit;
    const recordedChoices = recorder.simulator.choices();
    const candidatesPossiblyChosen = [
      recordedChoices.findLast((recordedChoice) => submitOf(recordedChoice) < decision.time)?.[1] ?? 0,
      ...recordedChoices
        .filter((recordedChoice) => submitOf(recordedChoice) === decision.time)
        .map(([, candidate]) => candidate),
    ];
    const candidateTexts = listCandidatePolicies(recorder.simulator.configuration.policy).map(printPolicy);
    const candidateInForce = candidates.find(({ isInForce }) => isInForce);
    expect(
      candidatesPossiblyChosen.map((candidateIndex) => candidateTexts[candidateIndex]),
      location,
    ).toContain(candidateInForce?.policy);
    expect(explanation.rules.method, location).toBe(candidateInForce?.policy);
    expect(explanation.rules.chosenBy, location).toContain('dynamic[');
    const explanationText = formatExplanation(explanation, makeTerminalColors(false), 100);
    if (time === null) {
      expect(explanationText, location).toContain('No candidate of the policy had been tried yet');
      expect(candidates.every(({ score }) => score === 1)).toBe(true);
      continue;
    }
    trials++;
    expect(time, location).toBeLessThanOrEqual(decision.time);
    expect(explanationText, location).toContain('Candidates of the policy, last tried at');
    if (options.dynamic!.smooth > 0) continue;
    const { prospect, score } = candidates[0];
    for (const candidate of candidates)
      expect(candidate.score * prospect).toBeCloseTo(score * candidate.prospect, 3);
  }
  expect(trials).toBeGreaterThan(50);
});
