/** Generates the contract of the core for programs: JSON, and a header with wrappers for C. */
import { declaredPolicies } from '../host/core/instance.js';
import { openCore } from '../host/core/module.js';
import {
  type Enumeration,
  type EnumerationMember,
  type ExportedCall,
  enumerations,
  findLengthNameOfColumn,
  findMembersOfEnumeration,
  parseCalls,
  parseColumnType,
  parseOptionKind,
} from './contract.js';

/** WebAssembly features beyond version 1 that the core needs; a test tries the binary without each. */
export const FEATURES = ['bulk-memory', 'saturating-float-to-int', 'sign-extension'];

const removeMarkdownLinks = (text: string) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** Names in docs/abi.json of the AssemblyScript types of parameters and results. */
const KIND_BY_WASM_TYPE: Readonly<Record<string, string>> = { usize: 'address', i32: 'i32', f64: 'f64' };
const kindOfWasmType = (type: string) => KIND_BY_WASM_TYPE[type] ?? type;

const describeCall = ({ name: callName, parameters, returns, meaning }: ExportedCall) => ({
  name: callName,
  parameters: parameters.map(({ name: parameterName, type: parameterType }) => ({
    name: parameterName,
    type: kindOfWasmType(parameterType),
  })),
  returns: kindOfWasmType(returns),
  meaning: removeMarkdownLinks(meaning),
});

const describeMember = ({ name: memberName, value: memberValue, meaning }: EnumerationMember) => ({
  name: memberName,
  number: memberValue,
  meaning: removeMarkdownLinks(meaning),
});

function columnOf(column: EnumerationMember) {
  const { type, width, meaning } = parseColumnType(column);
  return {
    ...describeMember(column),
    type,
    width,
    length: findLengthNameOfColumn(column),
    meaning: removeMarkdownLinks(meaning),
  };
}

/** Enumerations with a list of their own in the description. */
const ENUMERATIONS_LISTED_BY_NAME = ['Status', 'Option', 'JobColumn', 'Column', 'Room', 'Scalar', 'Metric'];

/** Returns docs/abi.json: all that a program needs to run the core, or to implement one. */
export function description(): object {
  const core = openCore();
  const otherEnumerations = enumerations().filter(
    ({ name: enumName }) => !ENUMERATIONS_LISTED_BY_NAME.includes(enumName),
  );
  return {
    abiVersion: core.abiVersion(),
    features: FEATURES,
    calls: parseCalls().map(describeCall),
    statuses: findMembersOfEnumeration('Status').map((status) => ({
      ...describeMember(status),
      isRefusal: status.value >= core.Status.JobsUnsorted,
    })),
    options: findMembersOfEnumeration('Option').map((option) => ({
      ...describeMember(option),
      ...parseOptionKind(option),
      default: 0,
    })),
    jobColumns: findMembersOfEnumeration('JobColumn').map((column) => {
      const { type, more, meaning } = parseColumnType(column);
      return { ...describeMember(column), type, more, meaning: removeMarkdownLinks(meaning) };
    }),
    columns: findMembersOfEnumeration('Column').map(columnOf),
    rooms: findMembersOfEnumeration('Room').map(describeMember),
    scalars: findMembersOfEnumeration('Scalar').map(describeMember),
    metrics: findMembersOfEnumeration('Metric').map(describeMember),
    enumerations: otherEnumerations.map(({ name: enumName, meaning, members: enumMembers }) => ({
      name: enumName,
      meaning: removeMarkdownLinks(meaning),
      members: enumMembers.filter(({ name: memberName }) => memberName !== 'COUNT').map(describeMember),
    })),
    policies: declaredPolicies(core).map(({ index: policyIndex, ...otherFields }) => ({
      number: policyIndex,
      ...otherFields,
    })),
  };
}

const toCapitals = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase();

/** Formats a C comment wrapped to the line width. */
function formatDocComment(text: string, indent = ''): string {
  const words = removeMarkdownLinks(text).replaceAll('*/', '* /').split(' ');
  const lines = [''];
  for (const word of words) {
    const lastLine = lines.length - 1;
    if (lines[lastLine].length + word.length < 100 - indent.length)
      lines[lastLine] += `${lines[lastLine] && ' '}${word}`;
    else lines.push(word);
  }
  if (lines.length === 1) return `${indent}/* ${lines[0]} */`;
  return `${indent}/* ${lines.join(`\n${indent} * `)} */`;
}

function formatEnum({ name: enumName, meaning, members: enumMembers }: Enumeration): string {
  const prefix = `GRIDALLOC_${toCapitals(enumName)}`;
  const lines = enumMembers.flatMap(({ name: memberName, value: memberValue, meaning }) => [
    ...(meaning === '' ? [] : [formatDocComment(meaning, '  ')]),
    `  ${prefix}_${toCapitals(memberName)} = ${memberValue},`,
  ]);
  return `${formatDocComment(meaning)}\nenum gridalloc_${enumName.toLowerCase()} {\n${lines.join('\n')}\n};`;
}

function formatPolicyEnum(): string {
  const policyDeclarations = declaredPolicies(openCore());
  const lines = policyDeclarations.flatMap(
    ({ index: policyIndex, name: policyName, parameters: policyParameters, summary: policySummary }) => {
      const parametersText = policyParameters
        .map((parameter) => `${parameter.name}=${parameter.default}`)
        .join(', ');
      return [
        formatDocComment(`${policySummary}${parametersText && ` Parameters: ${parametersText}.`}`, '  '),
        `  GRIDALLOC_POLICY_${toCapitals(policyName)} = ${policyIndex},`,
      ];
    },
  );
  const meaningText = 'The allocators. A parameter that is a word is given as its place among the words.';
  return `${formatDocComment(meaningText)}\nenum gridalloc_policy {\n${lines.join('\n')}\n};`;
}

const C_TYPES: Readonly<Record<string, string>> = { usize: 'uint32_t', f64: 'double' };
const cTypeOf = (type: string) => C_TYPES[type] ?? 'int32_t';

const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function formatPrototype({ name: callName, parameters, returns }: ExportedCall): string {
  const otherParameters = parameters
    .map((parameter) => `, ${cTypeOf(parameter.type)} ${parameter.name}`)
    .join('');
  return `${cTypeOf(returns)} gridalloc_${toSnakeCase(callName)}(gridalloc *core${otherParameters})`;
}

const GENERATED_FILE_NOTICE =
  '/* Written by npm run build from the declarations of the core; docs/abi.md is the contract. */';

/** Returns the text of gridalloc.h. */
export function header(): string {
  const prototypes = parseCalls().map(
    (call) => `${formatDocComment(call.meaning)}\n${formatPrototype(call)};`,
  );
  return `${GENERATED_FILE_NOTICE}
#ifndef GRIDALLOC_H
#define GRIDALLOC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRIDALLOC_ABI_VERSION ${openCore().abiVersion()}

${enumerations().map(formatEnum).join('\n\n')}

${formatPolicyEnum()}

/* A core with a memory of its own. Cores are apart from each other; one belongs to one thread at a time. Threads may open and
 * close cores at the same time. No signal is handled. */
typedef struct gridalloc gridalloc;

/* A new core, or NULL where there is no memory or no 8 GiB of addresses for it; memory is taken as it grows. */
gridalloc *gridalloc_open(void);

/* Gives memory and addresses back. */
void gridalloc_close(gridalloc *core);

/* Makes the memory reach up to an address at least; 0, or -1 where it cannot: up to 4 GiB less 64 KiB. */
int gridalloc_reserve(gridalloc *core, uint64_t end);

/* What is at an address, until the memory grows. */
void *gridalloc_at(gridalloc *core, uint32_t address);

${prototypes.join('\n\n')}

#ifdef __cplusplus
}
#endif

#endif
`;
}

function formatWrapper(call: ExportedCall): string {
  const argumentsText = call.parameters.map(({ name: parameterName }) => `, ${parameterName}`).join('');
  return `${formatPrototype(call)} {\n  return ${cTypeOf(call.returns)[0] === 'i' ? '(int32_t)' : ''}CORE(${call.name})(&core->instance${argumentsText});\n}`;
}

/** Returns the text of gridalloc.c, which wraps the output of wasm2c (wabt) named core.h. */
export function formatWrappers(): string {
  return `${GENERATED_FILE_NOTICE}
/* What gridalloc.h declares is all that the library shows. */
#pragma GCC visibility push(default)
#include "gridalloc.h"
#pragma GCC visibility pop

#include <pthread.h>
#include <stdlib.h>

#include "core.h"
#include "runtime.h"

/* As wabt 1.0.32 names what the binary exports. */
#define CORE(name) Z_coreZ_##name

struct gridalloc {
  Z_core_instance_t instance;
};

gridalloc *gridalloc_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  gridalloc *core = calloc(1, sizeof *core);
  if (core == NULL) return NULL;
  pthread_once(&once, Z_core_init_module);
  if (setjmp(gridalloc_failed) != 0) {
    free(core);
    return NULL;
  }
  Z_core_instantiate(&core->instance);
  return core;
}

void gridalloc_close(gridalloc *core) {
  if (core == NULL) return;
  Z_core_free(&core->instance);
  free(core);
}

int gridalloc_reserve(gridalloc *core, uint64_t end) {
  wasm_rt_memory_t *memory = CORE(memory)(&core->instance);
  if (end <= memory->size) return 0;
  uint64_t pages = end / 65536 + (end % 65536 != 0) - memory->pages;
  if (pages > UINT32_MAX) return -1;
  return wasm_rt_grow_memory(memory, (uint32_t)pages) == UINT32_MAX ? -1 : 0;
}

void *gridalloc_at(gridalloc *core, uint32_t address) {
  return CORE(memory)(&core->instance)->data + address;
}

${parseCalls().map(formatWrapper).join('\n\n')}
`;
}
