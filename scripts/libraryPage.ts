/** Generates the library reference from the types and comments of its exports. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { OPTIONS } from '../host/options/options.js';
import { METRICS_BY_SUMMARY_PART } from '../host/simulate/metrics.js';
import { wrapped } from './markdown.js';

const repositoryRoot = fileURLToPath(new URL('../', import.meta.url));
const TYPE_TEXT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
const LONGEST_LINE = 100;

/** Sections with the folders that declare their exports. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'Job logs': ['trace', 'files'],
  'Jobs and models': ['workload'],
  Grids: ['grid'],
  'Policies and the core': ['core'],
  'Options of a simulation': ['options'],
  Simulations: ['simulate', 'learn'],
  'Live simulations': ['live'],
  'Explaining a job': ['explain'],
  'Statistics of replications': ['statistics'],
  'Files of a simulation': ['jobs', 'results', 'request'],
  'Running studies': ['study', 'runs'],
  Reports: ['reports', 'view', 'draw'],
  Errors: ['errors.ts'],
};

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${repositoryRoot}tsconfig.json`, ts.sys.readFile).config,
  ts.sys,
  repositoryRoot,
);
const program = ts.createProgram(
  ['host/index.ts', 'host/portable.ts', 'host/core/host.ts'].map((path) => repositoryRoot + path),
  options,
);
const checker = program.getTypeChecker();

/** Returns the exports of a module by name. */
function exportsOf(path: string): Map<string, ts.Symbol> {
  const source = program.getSourceFile(repositoryRoot + path);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${path} exports nothing`);
  const resolveAlias = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, resolveAlias(symbol)]));
}

const exportsOnNode = exportsOf('host/index.ts');
const portableExports = exportsOf('host/portable.ts');
/** Live runs of `gridalloc/core`, without types whose names are also those of the library. */
const liveRuns = [...exportsOf('host/core/host.ts').values()].filter(
  (symbol) => isIn(['core/live.ts'], symbol) && !exportsOnNode.has(symbol.name),
);

const formatCode = (text: string) => `\`${text.replaceAll(/\s+/g, ' ')}\``;
const formatCodeBlock = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
const joinLines = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ').trim();

function commentOf(symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
}

/** Formats the comment of an export as paragraphs, marked if the export is not in gridalloc/portable. */
function commentText(symbol: ts.Symbol): string {
  const nodeOnlyNote =
    portableExports.has(symbol.name) || liveRuns.includes(symbol) ? '' : '*On Node only.* ';
  return (nodeOnlyNote + commentOf(symbol)).split('\n\n').map(wrapped).join('\n\n');
}

/** Symbol or signature with a comment that has tags. */
interface Commented {
  getJsDocTags(checker?: ts.TypeChecker): ts.JSDocTagInfo[];
}

function tagsOf(commentedNode: Commented, name: string): string[] {
  const tags = commentedNode.getJsDocTags(checker).filter((tag) => tag.name === name);
  return tags.map((tag) => ts.displayPartsToString(tag.text).trim());
}

/** Formats the comments of parameters, result and errors. */
function notes(commentedNode: Commented): string[] {
  const parameters = tagsOf(commentedNode, 'param').map((text) => {
    const [, name, meaningText] = /^(\S+) ([\s\S]*)$/.exec(text) ?? [];
    return `${formatCode(name)}: ${meaningText}`;
  });
  const results = tagsOf(commentedNode, 'returns').map((text) => `Returns ${text}`);
  const errors = tagsOf(commentedNode, 'throws').map(
    (text) => `Throws ${text.replace(/^\w*Error\b/, '`$&`')}`,
  );
  return [...parameters, ...results, ...errors].map(joinLines);
}

/** Formats the comments of parameters, result and errors, and the examples. */
function remarks(commentedNode: Commented): string[] {
  const list = notes(commentedNode).map((note) => wrapped(`- ${note}`));
  return [list.join('\n'), ...tagsOf(commentedNode, 'example').map((text) => formatCodeBlock('js', text))];
}

const joinParagraphs = (paragraphTexts: readonly string[]) =>
  paragraphTexts.filter((paragraph) => paragraph !== '').join('\n\n');

/** Name of a variable of a type. */
const variableOf = (type: string) => type[0].toLowerCase() + type.slice(1);

/** Formats a parameter; a destructured one has the name in its comment, or that of its type. */
function parameterText(parameter: ts.ParameterDeclaration, nameOfUnnamed: string | undefined): string {
  const { name, type: parameterType, questionToken, initializer } = parameter;
  const typeText = parameterType?.getText() ?? checker.typeToString(checker.getTypeAtLocation(parameter));
  const parameterName = ts.isIdentifier(name) ? name.text : (nameOfUnnamed ?? variableOf(typeText));
  return `${parameterName}${questionToken || initializer ? '?' : ''}: ${typeText}`;
}

/** Formats a call with its parameters, one per line if a single line would be too long. */
function callText(name: string, signature: ts.Signature): string {
  const { declaration } = signature;
  const parameterDeclarations = declaration?.parameters.filter(ts.isParameter) ?? [];
  const names = parameterDeclarations.map((parameter) => parameter.name.getText());
  const nameOfUnnamed = tagsOf(signature, 'param')
    .map((tagText) => tagText.split(' ')[0])
    .find((parameterName) => !names.includes(parameterName));
  const parameters = parameterDeclarations.map((parameter) => parameterText(parameter, nameOfUnnamed));
  const result = declaration?.type === undefined ? '' : `: ${declaration.type.getText()}`;
  const callLine = `${name}(${parameters.join(', ')})${result}`;
  if (callLine.length <= LONGEST_LINE) return callLine;
  return [`${name}(`, ...parameters.map((parameter) => `  ${parameter},`), `)${result}`].join('\n');
}

/** Formats calls: one that fits a line as code in a paragraph, others as a block. */
function callsText(calls: readonly string[]): string {
  const [call = ''] = calls;
  const isShort = calls.length <= 1 && !call.includes('\n') && !call.includes('`');
  return isShort ? call && formatCode(call) : formatCodeBlock('ts', calls.join('\n'));
}

function signaturesOf(symbol: ts.Symbol, declaration: ts.Declaration): readonly ts.Signature[] {
  return checker.getTypeOfSymbolAtLocation(symbol, declaration).getCallSignatures();
}

function typeOf(property: ts.Symbol, declaration: ts.Declaration): string {
  const [declared] = property.declarations ?? [];
  const node =
    declared && (ts.isPropertySignature(declared) || ts.isPropertyDeclaration(declared))
      ? declared.type
      : undefined;
  const text =
    node?.getText() ??
    checker.typeToString(checker.getTypeOfSymbolAtLocation(property, declaration), declaration, TYPE_TEXT);
  return property.flags & ts.SymbolFlags.Optional ? text.replace(/ \| undefined$/, '') : text;
}

/** Meaning of a property in the tables of options and metrics. */
function meaningInTables(name: string): string {
  const option = Object.values(OPTIONS).find(({ key: optionKey }) => optionKey === name);
  const metricEntries = Object.entries({
    ...METRICS_BY_SUMMARY_PART.run,
    ...METRICS_BY_SUMMARY_PART.decisions,
    ...METRICS_BY_SUMMARY_PART.sites,
    ...METRICS_BY_SUMMARY_PART.homes,
  });
  return option?.help ?? metricEntries.find(([metricName]) => metricName === name)?.[1].label ?? '';
}

/** True if a property comes from a table of options or metrics. */
const isListed = ({ declarations }: ts.Symbol) => declarations?.every(ts.isPropertyAssignment) ?? true;

const OPTION_KEYS = Object.values(OPTIONS).map(({ key: optionKey }) => optionKey as string);

/** True if the core's bindings declare a member, which docs/abi.md describes. */
const isOfBindings = ({ declarations }: ts.Symbol) =>
  declarations?.some((declaration) => declaration.getSourceFile().isDeclarationFile) ?? false;

const optionalMark = (property: ts.Symbol) => (property.flags & ts.SymbolFlags.Optional ? '?' : '');
const namesOf = (members: readonly ts.Symbol[]) =>
  members.map(({ name: symbolName }) => formatCode(symbolName)).join(', ');

/** Exported interfaces that a declaration extends by name. */
function basesOf(declaration: ts.Declaration): ts.Symbol[] {
  if (!ts.isInterfaceDeclaration(declaration)) return [];
  const bases = declaration.heritageClauses?.flatMap(({ types }) => types) ?? [];
  return bases.flatMap(({ expression }) => exportsOnNode.get(expression.getText()) ?? []);
}

/** Exported interface that declares a property; undefined if that is the given declaration. */
function ownerOf({ declarations }: ts.Symbol, declaration: ts.Declaration): ts.Symbol | undefined {
  const owner = declarations?.[0]?.parent;
  if (owner === undefined || owner === declaration || !ts.isInterfaceDeclaration(owner)) return undefined;
  return exportsOnNode.get(owner.name.text);
}

/** Formats a reference to properties that are described with another type, all of its or some. */
function sharedText(owner: ts.Symbol, members: readonly ts.Symbol[]): string {
  const propertyCount = checker.getDeclaredTypeOfSymbol(owner).getProperties().length;
  const linkText = `[\`${owner.name}\`](#${owner.name.toLowerCase()})`;
  return members.length === propertyCount
    ? `All properties of ${linkText}.`
    : `Of ${linkText}: ${namesOf(members)}.`;
}

/** Divides the properties of a type into those described with another documented type and its own. */
function shareProperties(properties: readonly ts.Symbol[], declaration: ts.Declaration) {
  const membersByOwner = new Map<ts.Symbol, ts.Symbol[]>();
  const bases = basesOf(declaration);
  const ownProperties = properties.filter((property) => {
    const baseInterface = bases.find((baseInterface) =>
      checker.getDeclaredTypeOfSymbol(baseInterface).getProperty(property.name),
    );
    const owner = baseInterface ?? ownerOf(property, declaration);
    if (owner) membersByOwner.set(owner, [...(membersByOwner.get(owner) ?? []), property]);
    return owner === undefined;
  });
  return {
    own: ownProperties,
    shared: [...membersByOwner].map(([owner, members]) => sharedText(owner, members)),
  };
}

/** Formats options of a simulation, which another page describes, with their types. */
function optionNamesText(properties: readonly ts.Symbol[], declaration: ts.Declaration): string {
  if (properties.length === 0) return '';
  const typedNames = properties.map((property) =>
    formatCode(`${property.name}${optionalMark(property)}: ${typeOf(property, declaration)}`),
  );
  return `[Options](command-line.md#options-of-a-simulation) of a simulation: ${typedNames.join(', ')}.`;
}

function propertyRow(property: ts.Symbol, enclosing: ts.Declaration): string {
  const cells = [
    formatCode(property.name + optionalMark(property)),
    formatCode(typeOf(property, enclosing)),
    joinLines(commentOf(property)) || meaningInTables(property.name),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll(
    / {2,}(?=\|)/g,
    ' ',
  );
}

/** Formats properties: those of other types by reference, options as a list, the rest as a table. */
function propertyText(members: readonly ts.Symbol[], enclosing: ts.Declaration): string {
  if (members.length === 0 || members.some(isOfBindings)) return '';
  const { own: ownSymbols, shared } = shareProperties(members, enclosing);
  // Fields of a log may have names of options, so a type has options only if all that has no comment is
  // listed.
  const listedSymbols = ownSymbols.filter((property) => isListed(property) && commentOf(property) === '');
  const areInTables = listedSymbols.every(({ name: symbolName }) => meaningInTables(symbolName) !== '');
  const options = areInTables
    ? listedSymbols.filter(({ name: symbolName }) => OPTION_KEYS.includes(symbolName))
    : [];
  const positionOf = ({ name: symbolName }: ts.Symbol) => OPTION_KEYS.indexOf(symbolName);
  options.sort((a, b) => positionOf(a) - positionOf(b));
  const rows = ownSymbols
    .filter((property) => !options.includes(property))
    .map((property) => propertyRow(property, enclosing));
  const table = ['| property | type | meaning |', '|---|---|---|', ...rows].join('\n');
  const references = wrapped([...shared, optionNamesText(options, enclosing)].join(' '));
  return joinParagraphs([rows.length === 0 ? '' : table, references]);
}

const isMethod = (member: ts.Symbol) => (member.flags & ts.SymbolFlags.Method) !== 0;

function methodText(method: ts.Symbol, owner: string, enclosing: ts.Declaration): string {
  const calls = signaturesOf(method, enclosing).map((signature) => {
    const call = callText(`${owner}.${method.name}`, signature);
    return formatCode(call.replaceAll(/\(\n {2}|,\n\)/g, (textPart) => (textPart[0] === '(' ? '(' : ')')));
  });
  const parts = [calls.join(', '), commentOf(method), ...notes(method)].filter((textPart) => textPart !== '');
  const examples = tagsOf(method, 'example').map((example) => `\n\n${formatCodeBlock('js', example)}\n`);
  return wrapped(`- ${parts.map((part) => part.replace(/[^.:]$/, '$&.')).join(' ')}`) + examples.join('');
}

/** Returns members in source order, without those of the language, such as iterators. */
const namedMembersOf = (members: readonly ts.Symbol[]) =>
  members.filter(({ name: symbolName }) => !symbolName.startsWith('__'));

function classText(symbol: ts.Symbol, declaration: ts.ClassDeclaration): string {
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const ownSymbols = declaration.members.flatMap((member) => {
    const isHidden = member.name === undefined || ts.isPrivateIdentifier(member.name);
    const memberSymbol = isHidden ? undefined : checker.getSymbolAtLocation(member.name);
    return memberSymbol === undefined ? [] : [memberSymbol];
  });
  const isStatic = (member: ts.Symbol) =>
    (ts.getCombinedModifierFlags(member.valueDeclaration as ts.Declaration) & ts.ModifierFlags.Static) !== 0;
  const variableName = variableOf(symbol.name);
  const constructors = type.getConstructSignatures();
  const constructorTexts = constructors.map((signature) => callText(`new ${symbol.name}`, signature));
  const methodTexts = namedMembersOf(ownSymbols.filter(isMethod)).map((method) =>
    methodText(method, isStatic(method) ? symbol.name : variableName, declaration),
  );
  const fieldSymbols = ownSymbols.filter((member) => !isMethod(member));
  return joinParagraphs([
    commentText(symbol),
    // Constructors of errors are those of the language.
    ...(declaration.heritageClauses ? [] : [callsText(constructorTexts), ...constructors.flatMap(remarks)]),
    ...remarks(symbol),
    propertyText(fieldSymbols, declaration),
    methodTexts.join('\n'),
  ]);
}

/** True if a type is printed as declared: a union, an operator or a type of very many properties. */
function isDeclaredHere(
  symbol: ts.Symbol,
  declaration: ts.InterfaceDeclaration | ts.TypeAliasDeclaration,
): boolean {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  return (
    ts.isTypeAliasDeclaration(declaration) &&
    (type.isUnion() || ts.isTypeOperatorNode(declaration.type) || type.getProperties().length > 90)
  );
}

function typeText(symbol: ts.Symbol, declaration: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): string {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  if (isDeclaredHere(symbol, declaration))
    return joinParagraphs([
      commentText(symbol),
      formatCodeBlock('ts', declaration.getText().replace('export ', '')),
    ]);
  const methods = namedMembersOf(type.getProperties()).filter(isMethod);
  const fields = namedMembersOf(type.getProperties()).filter((member) => !isMethod(member));
  const owner = variableOf(symbol.name);
  return joinParagraphs([
    commentText(symbol),
    propertyText(fields, declaration),
    methods.map((method) => methodText(method, owner, declaration)).join('\n'),
  ]);
}

function functionText(symbol: ts.Symbol, declaration: ts.Declaration): string {
  const calls = signaturesOf(symbol, declaration).map((signature) => callText(symbol.name, signature));
  return joinParagraphs([callsText(calls), commentText(symbol), ...remarks(symbol)]);
}

function entryText(symbol: ts.Symbol): string {
  const [declaration] = symbol.declarations ?? [];
  const isType = ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration);
  const text = ts.isClassDeclaration(declaration)
    ? classText(symbol, declaration)
    : isType
      ? typeText(symbol, declaration)
      : functionText(symbol, declaration);
  return joinParagraphs([`### ${symbol.name}`, text]);
}

/** Order of exports: functions and classes, then constants, then types; each by name. */
function rankOf({ flags }: ts.Symbol): number {
  if (flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class)) return 0;
  return flags & ts.SymbolFlags.Variable ? 1 : 2;
}

function byRank(a: ts.Symbol, b: ts.Symbol): number {
  return rankOf(a) - rankOf(b) || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1);
}

/**
 * Type of a constant or definition of an alias, if it has no properties to describe and fits a row of a
 * table.
 */
function briefDefinition(symbol: ts.Symbol): string | undefined {
  const [declaration] = symbol.declarations ?? [];
  if (ts.isVariableDeclaration(declaration)) {
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    return checker.typeToString(type, declaration, TYPE_TEXT);
  }
  const isBrief = ts.isTypeAliasDeclaration(declaration) && !/[{}\n]/.test(declaration.type.getText());
  return isBrief && isDeclaredHere(symbol, declaration) ? declaration.type.getText() : undefined;
}

/** Formats constants and short aliases as one table. */
function briefTable(symbols: readonly ts.Symbol[]): string {
  if (symbols.length === 0) return '';
  const rows = symbols.map((symbol) => {
    const cells = [
      formatCode(symbol.name),
      formatCode(briefDefinition(symbol)!),
      joinLines(commentText(symbol)),
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll(
      / {2,}(?=\|)/g,
      ' ',
    );
  });
  return ['| name | type | meaning |', '|---|---|---|', ...rows].join('\n');
}

function isIn(folders: readonly string[], symbol: ts.Symbol): boolean {
  const file = symbol.declarations?.[0].getSourceFile().fileName ?? '';
  return folders.some((folder) => file.startsWith(`${repositoryRoot}host/${folder}`));
}

/** Returns the reference of every export, section by section. */
export function libraryReference(): string {
  const allSymbols = [...exportsOnNode.values()];
  const sections = Object.entries(SECTIONS).map(([title, folders]) => {
    const symbols = allSymbols.filter((symbol) => isIn(folders, symbol)).sort(byRank);
    const brief = symbols.filter((symbol) => briefDefinition(symbol) !== undefined);
    const longSymbols = symbols.filter((symbol) => !brief.includes(symbol));
    return joinParagraphs([`## ${title}`, briefTable(brief), ...longSymbols.map(entryText)]);
  });
  const ofCore = ['## Live runs of gridalloc/core', ...liveRuns.sort(byRank).map(entryText)];
  return [...sections, joinParagraphs(ofCore)].join('\n\n');
}
