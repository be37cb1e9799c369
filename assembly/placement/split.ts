import { MultiSite, Topology } from '../abi';
import { Simulation } from '../state';
import { assume, beginTrial, placeBehind } from '../allocators/lookAhead';
import * as columns from '../columns';
import { splitExecutionTime } from '../grid/execution';
import { beginSet } from '../grid/processors';
import { Slot, freeAt, freeIn, siteIn, speedOf } from '../grid/sites';
import { at, put } from '../memory';
import * as record from '../record/events';
import { RECORDED, note } from '../record/log';
import { Note } from '../record/notes';
import { hold, launch } from './commit';

/**
 * Multi-site execution (Huang et al. 2007, section 6): a job that no single site has room for runs on
 * several, taking all that is free on one after another until it has enough. The candidate split is written
 * to the end of the log of parts as pairs (site, processors); taking it only moves that end.
 */

/** Splits a waiting job over the sites and starts it, if they have room together; returns whether it did. */
export function startSplit(simulation: Simulation, job: i32): bool {
  const processors = at<i32>(columns.processors, job);
  const home = at<i32>(columns.homes, job);
  const alone = simulation.topology === Topology.Independent;
  if ((alone ? <i64>freeAt(home) : simulation.freeProcessors) < <i64>processors) return false;
  if (alone) append(simulation.partsLength, home, processors);
  else choose(simulation, job, processors);
  start(simulation, job, processors);
  return true;
}

function choose(simulation: Simulation, job: i32, processors: i32): void {
  switch (simulation.multiSite) {
    case MultiSite.LargerFirst:
      divideByFree(simulation, processors);
      break;
    case MultiSite.FasterFirst:
      divideBySpeed(simulation, processors);
      break;
    default:
      chooseAdaptively(simulation, job, processors);
  }
}

/**
 * Larger-first unless faster-first lets more jobs start behind, or as many while its slowest site is faster.
 */
function chooseAdaptively(simulation: Simulation, job: i32, processors: i32): void {
  divideByFree(simulation, processors);
  const slowestOfLarger = slowestSpeed(simulation, processors);
  const behindLarger = startsBehind(simulation, job, processors);
  if (RECORDED) noteSplit(simulation, MultiSite.LargerFirst, processors, behindLarger);
  divideBySpeed(simulation, processors);
  const behindFaster = startsBehind(simulation, job, processors);
  if (RECORDED) noteSplit(simulation, MultiSite.FasterFirst, processors, behindFaster);
  if (behindFaster > behindLarger) return;
  if (behindFaster === behindLarger && slowestSpeed(simulation, processors) > slowestOfLarger) return;
  divideByFree(simulation, processors);
}

/** All that is free on the site with the most free processors, then the next; equal ones by index. */
function divideByFree(simulation: Simulation, processors: i32): void {
  beginTrial(simulation);
  for (let part = simulation.partsLength; processors > 0; part++) {
    let most: Slot = 0;
    let place = 0;
    for (let each = 0; each < simulation.siteCount; each++) {
      const slot = at<Slot>(columns.trial, each) ^ <u64>0xffffffff;
      if (slot > most) {
        most = slot;
        place = each;
      }
    }
    const share = min(freeIn(most), processors);
    append(part, siteIn(most ^ <u64>0xffffffff), share);
    put<Slot>(columns.trial, place, at<Slot>(columns.trial, place) & <u64>0xffffffff);
    processors -= share;
  }
}

/** All that is free on the fastest site, then the next; equal ones by index. */
function divideBySpeed(simulation: Simulation, processors: i32): void {
  let part = simulation.partsLength;
  for (let place = 0; processors > 0; place++) {
    const slot = at<Slot>(columns.slots, place);
    const share = min(freeIn(slot), processors);
    if (share === 0) continue;
    append(part++, siteIn(slot), share);
    processors -= share;
  }
}

@inline
function append(part: i32, site: i32, processors: i32): void {
  put<i32>(columns.parts, 2 * part, site);
  put<i32>(columns.parts, 2 * part + 1, processors);
}

/** How many waiting jobs could start on single sites behind the job if it were split as written. */
function startsBehind(simulation: Simulation, job: i32, processors: i32): i32 {
  beginTrial(simulation);
  for (let part = simulation.partsLength; processors > 0; part++) {
    const share = at<i32>(columns.parts, 2 * part + 1);
    assume(at<i32>(columns.parts, 2 * part), share);
    processors -= share;
  }
  return placeBehind<i32>(simulation, job, 0);
}

/** Writes down the split as it stands. */
function noteSplit(simulation: Simulation, rule: MultiSite, processors: i32, behind: i32): void {
  const slowest = slowestSpeed(simulation, processors);
  note(Note.Split, <f64>rule, slowest, <f64>behind);
  for (let part = simulation.partsLength; processors > 0; part++) {
    const share = at<i32>(columns.parts, 2 * part + 1);
    note(Note.Share, <f64>at<i32>(columns.parts, 2 * part), <f64>share);
    processors -= share;
  }
}

function slowestSpeed(simulation: Simulation, processors: i32): f64 {
  let slowest: f64 = Infinity;
  for (let part = simulation.partsLength; processors > 0; part++) {
    slowest = min<f64>(slowest, speedOf(at<i32>(columns.parts, 2 * part)));
    processors -= at<i32>(columns.parts, 2 * part + 1);
  }
  return slowest;
}

function start(simulation: Simulation, job: i32, processors: i32): void {
  const first = simulation.partsLength;
  const execution = splitExecutionTime(simulation, job, slowestSpeed(simulation, processors));
  if (simulation.logCapacity > 0) beginSet(simulation, job);
  let part = first;
  for (let rest = processors; rest > 0; part++) {
    const share = at<i32>(columns.parts, 2 * part + 1);
    hold(simulation, at<i32>(columns.parts, 2 * part), share);
    if (RECORDED) record.took(simulation, job, at<i32>(columns.parts, 2 * part), share);
    rest -= share;
  }
  simulation.partsLength = part;
  put<i32>(columns.partIndices, job, first);
  launch(simulation, job, at<i32>(columns.parts, 2 * first), execution);
}
