import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { expandFilePatterns, joinFileNames, readTrace } from '../../host/files/traceFiles.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { inputErrorMessage, makeSwfLine } from '../trace/helpers.js';

/** Tests logs that are split over several files. */

const folder = makeTemporaryFolder();
const pathInLogFolder = (fileName: string) => join(folder, fileName);
const writeLog = (fileName: string, logText: string) => {
  writeFileSync(pathInLogFolder(fileName), logText);
  return pathInLogFolder(fileName);
};

describe('files', () => {
  for (const name of ['jobs-1.swf', 'jobs-2.swf', 'jobs-10.swf', '.jobs-3.swf', 'a,b{c}.swf', 'odd[1].swf']) {
    writeLog(name, '');
  }
  mkdirSync(pathInLogFolder('more'));
  writeLog('more/jobs-4.swf', '');
  const expandPatternToNames = async (filePattern: string) =>
    (await expandFilePatterns(filePattern)).map((path) => path.replace(`${folder}/`, ''));

  it('of a pattern are in the order of their numbers, without hidden ones', async () => {
    expect(await expandPatternToNames(pathInLogFolder('jobs-*.swf'))).toEqual([
      'jobs-1.swf',
      'jobs-2.swf',
      'jobs-10.swf',
    ]);
    expect(await expandPatternToNames(pathInLogFolder('jobs-?.swf'))).toEqual(['jobs-1.swf', 'jobs-2.swf']);
    expect(await expandPatternToNames(pathInLogFolder('m*/jobs-*'))).toEqual(['more/jobs-4.swf']);
    expect(await expandPatternToNames(pathInLogFolder('odd[1]*'))).toEqual(['odd[1].swf']);
    expect(await inputErrorMessage(expandFilePatterns('none-*.swf'))).toBe(
      'no file matches none-*.swf; check the path of the job logs',
    );
  });

  it('files of a list are read in its order, whatever their names', async () => {
    const files = ['b.swf', 'a,b{c}.swf', 'back\\slash', 'a.swf'];
    expect(joinFileNames(['one,{.swf'])).toBe('one,{.swf');
    expect(await expandFilePatterns(joinFileNames(files))).toEqual(files);
    const mixedPatterns = joinFileNames([pathInLogFolder('jobs-10.swf'), pathInLogFolder('jobs-?.swf')]);
    expect(await expandPatternToNames(mixedPatterns)).toEqual(['jobs-10.swf', 'jobs-1.swf', 'jobs-2.swf']);
    expect(await expandPatternToNames(pathInLogFolder('a,b{c}.swf'))).toEqual(['a,b{c}.swf']);
    expect(await expandFilePatterns('-')).toEqual(['-']);
  });
});

describe('a log in several files', () => {
  const firstPath = writeLog(
    '1.swf',
    `; MaxProcs: 8\n; MaxJobs: 2\n; MaxRecords: 2\n; Queue: 1 a\n${makeSwfLine({ job: 1, submit: 3 })}\n${makeSwfLine({ job: 2, submit: 5 })}`,
  );
  const secondPath = writeLog(
    '2.swf',
    `; MaxProcs: 8\n; Queue: 2 b\n${makeSwfLine({ job: 3, submit: 5 })}\n`,
  );

  it('is read as one', async () => {
    const joinedFileNames = joinFileNames([firstPath, secondPath]);
    const trace = await readTrace(joinedFileNames);
    expect(trace.source).toBe(joinedFileNames);
    expect([...trace.columns.job]).toEqual([1, 2, 3]);
    expect(trace.header.lines).toEqual([
      '; MaxProcs: 8',
      '; MaxJobs: 3',
      '; MaxRecords: 3',
      '; Queue: 1 a',
      '; Queue: 2 b',
      '; Note: 2 files, one after the other',
    ]);
  });

  it('must be in order too, or is sorted', async () => {
    const reversedNames = joinFileNames([secondPath, firstPath]);
    expect(await inputErrorMessage(readTrace(reversedNames))).toBe(
      `${firstPath}, line 5, field 2 (submit): found 3 after 5 in a file before it, expected submit times that do not descend; use --sort to sort the records, or run \`gridalloc trace check ${firstPath}\` to list all problems`,
    );
    const trace = await readTrace(reversedNames, { sort: true });
    expect([...trace.columns.submit]).toEqual([3, 5, 5]);
    expect([...trace.columns.job]).toEqual([1, 3, 2]);
  });

  it('names the file in which something is wrong', async () => {
    const wrongLogFile = writeLog('3.swf', `${makeSwfLine({ submit: 9 })}\nnothing\n`);
    const joinedFileNames = joinFileNames([firstPath, wrongLogFile]);
    expect(await inputErrorMessage(readTrace(joinedFileNames))).toMatch(
      `${wrongLogFile}, line 2: found 1 field in "nothing"`,
    );
    const trace = await readTrace(joinedFileNames, { skipBadLines: true });
    expect(trace.leftOut?.[0].places).toEqual([`${wrongLogFile}, line 2`]);
  });

  it('has the clock of the first file, where both say when theirs begin', async () => {
    const pathOfJanuaryLog = writeLog(
      'jan.swf',
      `; UnixStartTime: 1000\n${makeSwfLine({ submit: 0 })}\n${makeSwfLine({ submit: 90 })}\n`,
    );
    const pathOfFebruaryLog = writeLog(
      'feb.swf',
      `; UnixStartTime: 1100\n${makeSwfLine({ submit: 0 })}\n${makeSwfLine({ submit: 5 })}\n`,
    );
    const trace = await readTrace(joinFileNames([pathOfJanuaryLog, pathOfFebruaryLog]));
    expect([...trace.columns.submit]).toEqual([0, 90, 100, 105]);
    expect(trace.header.unixStartTime).toBe(1000);
    const headerLine = 'JobID|Submit|Elapsed|ReqCPUS|User\n';
    const pathOfMarchLog = writeLog('mar.txt', `${headerLine}1|1200|1|1|eve\n2|1201|1|1|ada\n`);
    const pathOfAprilLog = writeLog('apr.txt', `${headerLine}3|1300.5|1|1|ada\n`.replace('.5', ''));
    const mixedMonths = await readTrace(joinFileNames([pathOfJanuaryLog, pathOfMarchLog, pathOfAprilLog]));
    expect([...mixedMonths.columns.submit]).toEqual([0, 90, 200, 201, 300]);
    const slurm = await readTrace(joinFileNames([pathOfMarchLog, pathOfAprilLog]));
    expect([...slurm.columns.submit]).toEqual([0, 1, 100]);
    expect([...slurm.columns.user]).toEqual([1, 2, 2]);
    expect(slurm.header.unixStartTime).toBe(1200);
    expect(await inputErrorMessage(readTrace(joinFileNames([firstPath, pathOfMarchLog])))).toMatch(
      /: one of the files does not say when its clock begins \(UnixStartTime\), so they cannot follow one another$/,
    );
  });
});

test('a log of one file is that file, whatever its name', async () => {
  const pathWithPatternCharacters = writeLog('{a,b}*.swf', makeSwfLine());
  expect((await readTrace(pathWithPatternCharacters)).count).toBe(1);
});
