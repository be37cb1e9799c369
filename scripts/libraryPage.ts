/** Generates the library reference from the types and comments of its exports. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { OPTIONS } from '../host/options/options.js';
import { METRICS_BY_SUMMARY_PART } from '../host/simulate/metrics.js';
import { wrapMarkdown } from './markdown.js';

const repositoryRoot = fileURLToPath(new URL('../', import.meta.url));
const TYPE_FORMAT_FLAGS =
  ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
const MAX_LINE_LENGTH = 100;

/** Sections with the folders that declare their exports. */
const FOLDERS_BY_SECTION: Readonly<Record<string, readonly string[]>> = {
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
const typeChecker = program.getTypeChecker();

/** Returns the exports of a module by name. */
function readExportsOf(path: string): Map<string, ts.Symbol> {
  const source = program.getSourceFile(repositoryRoot + path);
  const module = source && typeChecker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${path} exports nothing`);
  const resolveAlias = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? typeChecker.getAliasedSymbol(symbol) : symbol;
  return new Map(typeChecker.getExportsOfModule(module).map((symbol) => [symbol.name, resolveAlias(symbol)]));
}

const exportsOnNode = readExportsOf('host/index.ts');
const portableExports = readExportsOf('host/portable.ts');
/** Live runs of `gridalloc/core`, without types whose names are also those of the library. */
const liveRunSymbols = [...readExportsOf('host/core/host.ts').values()].filter(
  (symbol) => isInFolders(['core/live.ts'], symbol) && !exportsOnNode.has(symbol.name),
);

const formatCode = (text: string) => `\`${text.replaceAll(/\s+/g, ' ')}\``;
const formatCodeBlock = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
const joinLines = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ').trim();

function readCommentOf(symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(typeChecker)).trim();
}

/** Formats the comment of an export as paragraphs, marked if the export is not in gridalloc/portable. */
function readDocCommentText(symbol: ts.Symbol): string {
  const nodeOnlyNote =
    portableExports.has(symbol.name) || liveRunSymbols.includes(symbol) ? '' : '*On Node only.* ';
  return (nodeOnlyNote + readCommentOf(symbol)).split('\n\n').map(wrapMarkdown).join('\n\n');
}

/** Symbol or signature with a comment that has tags. */
interface CommentedNode {
  getJsDocTags(checker?: ts.TypeChecker): ts.JSDocTagInfo[];
}

function readTagsOf(commentedNode: CommentedNode, name: string): string[] {
  const tags = commentedNode.getJsDocTags(typeChecker).filter((tag) => tag.name === name);
  return tags.map((tag) => ts.displayPartsToString(tag.text).trim());
}

/** Formats the comments of parameters, result and errors. */
function notes(commentedNode: CommentedNode): string[] {
  const parameters = readTagsOf(commentedNode, 'param').map((text) => {
    const [, name, meaningText] = /^(\S+) ([\s\S]*)$/.exec(text) ?? [];
    return `${formatCode(name)}: ${meaningText}`;
  });
  const results = readTagsOf(commentedNode, 'returns').map((text) => `Returns ${text}`);
  const errors = readTagsOf(commentedNode, 'throws').map(
    (text) => `Throws ${text.replace(/^\w*Error\b/, '`$&`')}`,
  );
  return [...parameters, ...results, ...errors].map(joinLines);
}

/** Formats the comments of parameters, result and errors, and the examples. */
function remarks(commentedNode: CommentedNode): string[] {
  const list = notes(commentedNode).map((note) => wrapMarkdown(`- ${note}`));
  return [
    list.join('\n'),
    ...readTagsOf(commentedNode, 'example').map((text) => formatCodeBlock('js', text)),
  ];
}

const joinParagraphs = (paragraphTexts: readonly string[]) =>
  paragraphTexts.filter((paragraph) => paragraph !== '').join('\n\n');

/** Name of a variable of a type. */
const makeVariableName = (type: string) => type[0].toLowerCase() + type.slice(1);

/** Formats a parameter; a destructured one has the name in its comment, or that of its type. */
function parameterText(parameter: ts.ParameterDeclaration, nameOfUnnamed: string | undefined): string {
  const { name, type: parameterType, questionToken, initializer } = parameter;
  const typeText =
    parameterType?.getText() ?? typeChecker.typeToString(typeChecker.getTypeAtLocation(parameter));
  const parameterName = ts.isIdentifier(name) ? name.text : (nameOfUnnamed ?? makeVariableName(typeText));
  return `${parameterName}${questionToken || initializer ? '?' : ''}: ${typeText}`;
}

/** Formats a call with its parameters, one per line if a single line would be too long. */
function formatCall(name: string, signature: ts.Signature): string {
  const { declaration } = signature;
  const parameterDeclarations = declaration?.parameters.filter(ts.isParameter) ?? [];
  const names = parameterDeclarations.map((parameter) => parameter.name.getText());
  const nameOfUnnamed = readTagsOf(signature, 'param')
    .map((tagText) => tagText.split(' ')[0])
    .find((parameterName) => !names.includes(parameterName));
  const parameters = parameterDeclarations.map((parameter) => parameterText(parameter, nameOfUnnamed));
  const result = declaration?.type === undefined ? '' : `: ${declaration.type.getText()}`;
  const callLine = `${name}(${parameters.join(', ')})${result}`;
  if (callLine.length <= MAX_LINE_LENGTH) return callLine;
  return [`${name}(`, ...parameters.map((parameter) => `  ${parameter},`), `)${result}`].join('\n');
}

/** Formats calls: one that fits a line as code in a paragraph, others as a block. */
function formatCalls(calls: readonly string[]): string {
  const [call = ''] = calls;
  const isOneShortCall = calls.length <= 1 && !call.includes('\n') && !call.includes('`');
  return isOneShortCall ? call && formatCode(call) : formatCodeBlock('ts', calls.join('\n'));
}

function findSignaturesOf(symbol: ts.Symbol, declaration: ts.Declaration): readonly ts.Signature[] {
  return typeChecker.getTypeOfSymbolAtLocation(symbol, declaration).getCallSignatures();
}

function formatTypeOf(property: ts.Symbol, declaration: ts.Declaration): string {
  const [declared] = property.declarations ?? [];
  const node =
    declared && (ts.isPropertySignature(declared) || ts.isPropertyDeclaration(declared))
      ? declared.type
      : undefined;
  const text =
    node?.getText() ??
    typeChecker.typeToString(
      typeChecker.getTypeOfSymbolAtLocation(property, declaration),
      declaration,
      TYPE_FORMAT_FLAGS,
    );
  return property.flags & ts.SymbolFlags.Optional ? text.replace(/ \| undefined$/, '') : text;
}

/** Meaning of a property in the tables of options and metrics. */
function findMeaningInTables(name: string): string {
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
const isDeclaredInBindings = ({ declarations }: ts.Symbol) =>
  declarations?.some((declaration) => declaration.getSourceFile().isDeclarationFile) ?? false;

const chooseOptionalMark = (property: ts.Symbol) => (property.flags & ts.SymbolFlags.Optional ? '?' : '');
const formatMemberNames = (members: readonly ts.Symbol[]) =>
  members.map(({ name: symbolName }) => formatCode(symbolName)).join(', ');

/** Exported interfaces that a declaration extends by name. */
function findBasesOf(declaration: ts.Declaration): ts.Symbol[] {
  if (!ts.isInterfaceDeclaration(declaration)) return [];
  const heritageTypes = declaration.heritageClauses?.flatMap(({ types }) => types) ?? [];
  return heritageTypes.flatMap(({ expression }) => exportsOnNode.get(expression.getText()) ?? []);
}

/** Exported interface that declares a property; undefined if that is the given declaration. */
function findOwnerOf({ declarations }: ts.Symbol, declaration: ts.Declaration): ts.Symbol | undefined {
  const owner = declarations?.[0]?.parent;
  if (owner === undefined || owner === declaration || !ts.isInterfaceDeclaration(owner)) return undefined;
  return exportsOnNode.get(owner.name.text);
}

/** Formats a reference to properties that are described with another type, all of its or some. */
function describeSharedProperties(owner: ts.Symbol, members: readonly ts.Symbol[]): string {
  const propertyCount = typeChecker.getDeclaredTypeOfSymbol(owner).getProperties().length;
  const linkText = `[\`${owner.name}\`](#${owner.name.toLowerCase()})`;
  return members.length === propertyCount
    ? `All properties of ${linkText}.`
    : `Of ${linkText}: ${formatMemberNames(members)}.`;
}

/** Divides the properties of a type into those described with another documented type and its own. */
function separateSharedProperties(properties: readonly ts.Symbol[], declaration: ts.Declaration) {
  const membersByOwner = new Map<ts.Symbol, ts.Symbol[]>();
  const baseInterfaces = findBasesOf(declaration);
  const ownProperties = properties.filter((property) => {
    const baseInterface = baseInterfaces.find((baseInterface) =>
      typeChecker.getDeclaredTypeOfSymbol(baseInterface).getProperty(property.name),
    );
    const owner = baseInterface ?? findOwnerOf(property, declaration);
    if (owner) membersByOwner.set(owner, [...(membersByOwner.get(owner) ?? []), property]);
    return owner === undefined;
  });
  return {
    own: ownProperties,
    shared: [...membersByOwner].map(([owner, members]) => describeSharedProperties(owner, members)),
  };
}

/** Formats options of a simulation, which another page describes, with their types. */
function formatOptionNames(properties: readonly ts.Symbol[], declaration: ts.Declaration): string {
  if (properties.length === 0) return '';
  const typedNames = properties.map((property) =>
    formatCode(`${property.name}${chooseOptionalMark(property)}: ${formatTypeOf(property, declaration)}`),
  );
  return `[Options](command-line.md#options-of-a-simulation) of a simulation: ${typedNames.join(', ')}.`;
}

function formatPropertyRow(property: ts.Symbol, enclosingDeclaration: ts.Declaration): string {
  const cells = [
    formatCode(property.name + chooseOptionalMark(property)),
    formatCode(formatTypeOf(property, enclosingDeclaration)),
    joinLines(readCommentOf(property)) || findMeaningInTables(property.name),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll(
    / {2,}(?=\|)/g,
    ' ',
  );
}

/** Formats properties: those of other types by reference, options as a list, the rest as a table. */
function formatProperties(members: readonly ts.Symbol[], enclosing: ts.Declaration): string {
  if (members.length === 0 || members.some(isDeclaredInBindings)) return '';
  const { own: ownSymbols, shared } = separateSharedProperties(members, enclosing);
  // Fields of a log may have names of options, so a type has options only if all that has no comment is
  // listed.
  const listedSymbols = ownSymbols.filter((property) => isListed(property) && readCommentOf(property) === '');
  const areInTables = listedSymbols.every(({ name: symbolName }) => findMeaningInTables(symbolName) !== '');
  const options = areInTables
    ? listedSymbols.filter(({ name: symbolName }) => OPTION_KEYS.includes(symbolName))
    : [];
  const positionOf = ({ name: symbolName }: ts.Symbol) => OPTION_KEYS.indexOf(symbolName);
  options.sort((a, b) => positionOf(a) - positionOf(b));
  const rows = ownSymbols
    .filter((property) => !options.includes(property))
    .map((property) => formatPropertyRow(property, enclosing));
  const table = ['| property | type | meaning |', '|---|---|---|', ...rows].join('\n');
  const referenceParagraph = wrapMarkdown([...shared, formatOptionNames(options, enclosing)].join(' '));
  return joinParagraphs([rows.length === 0 ? '' : table, referenceParagraph]);
}

const isMethod = (member: ts.Symbol) => (member.flags & ts.SymbolFlags.Method) !== 0;

function methodText(method: ts.Symbol, owner: string, enclosingDeclaration: ts.Declaration): string {
  const calls = findSignaturesOf(method, enclosingDeclaration).map((signature) => {
    const call = formatCall(`${owner}.${method.name}`, signature);
    return formatCode(call.replaceAll(/\(\n {2}|,\n\)/g, (textPart) => (textPart[0] === '(' ? '(' : ')')));
  });
  const parts = [calls.join(', '), readCommentOf(method), ...notes(method)].filter(
    (textPart) => textPart !== '',
  );
  const examples = readTagsOf(method, 'example').map((example) => `\n\n${formatCodeBlock('js', example)}\n`);
  return (
    wrapMarkdown(`- ${parts.map((part) => part.replace(/[^.:]$/, '$&.')).join(' ')}`) + examples.join('')
  );
}

/** Returns members in source order, without those of the language, such as iterators. */
const selectNamedMembersOf = (members: readonly ts.Symbol[]) =>
  members.filter(({ name: symbolName }) => !symbolName.startsWith('__'));

function formatClass(symbol: ts.Symbol, declaration: ts.ClassDeclaration): string {
  const type = typeChecker.getTypeOfSymbolAtLocation(symbol, declaration);
  const ownSymbols = declaration.members.flatMap((member) => {
    const isPrivateMember = member.name === undefined || ts.isPrivateIdentifier(member.name);
    const memberSymbol = isPrivateMember ? undefined : typeChecker.getSymbolAtLocation(member.name);
    return memberSymbol === undefined ? [] : [memberSymbol];
  });
  const isStatic = (member: ts.Symbol) =>
    (ts.getCombinedModifierFlags(member.valueDeclaration as ts.Declaration) & ts.ModifierFlags.Static) !== 0;
  const variableName = makeVariableName(symbol.name);
  const constructors = type.getConstructSignatures();
  const constructorTexts = constructors.map((signature) => formatCall(`new ${symbol.name}`, signature));
  const methodTexts = selectNamedMembersOf(ownSymbols.filter(isMethod)).map((method) =>
    methodText(method, isStatic(method) ? symbol.name : variableName, declaration),
  );
  const fieldSymbols = ownSymbols.filter((member) => !isMethod(member));
  return joinParagraphs([
    readDocCommentText(symbol),
    // Constructors of errors are those of the language.
    ...(declaration.heritageClauses ? [] : [formatCalls(constructorTexts), ...constructors.flatMap(remarks)]),
    ...remarks(symbol),
    formatProperties(fieldSymbols, declaration),
    methodTexts.join('\n'),
  ]);
}

/** True if a type is printed as declared: a union, an operator or a type of very many properties. */
function isDeclaredHere(
  symbol: ts.Symbol,
  declaration: ts.InterfaceDeclaration | ts.TypeAliasDeclaration,
): boolean {
  const type = typeChecker.getDeclaredTypeOfSymbol(symbol);
  return (
    ts.isTypeAliasDeclaration(declaration) &&
    (type.isUnion() || ts.isTypeOperatorNode(declaration.type) || type.getProperties().length > 90)
  );
}

function formatType(
  symbol: ts.Symbol,
  declaration: ts.InterfaceDeclaration | ts.TypeAliasDeclaration,
): string {
  const type = typeChecker.getDeclaredTypeOfSymbol(symbol);
  if (isDeclaredHere(symbol, declaration))
    return joinParagraphs([
      readDocCommentText(symbol),
      formatCodeBlock('ts', declaration.getText().replace('export ', '')),
    ]);
  const methods = selectNamedMembersOf(type.getProperties()).filter(isMethod);
  const fields = selectNamedMembersOf(type.getProperties()).filter((member) => !isMethod(member));
  const owner = makeVariableName(symbol.name);
  return joinParagraphs([
    readDocCommentText(symbol),
    formatProperties(fields, declaration),
    methods.map((method) => methodText(method, owner, declaration)).join('\n'),
  ]);
}

function formatFunction(symbol: ts.Symbol, declaration: ts.Declaration): string {
  const calls = findSignaturesOf(symbol, declaration).map((signature) => formatCall(symbol.name, signature));
  return joinParagraphs([formatCalls(calls), readDocCommentText(symbol), ...remarks(symbol)]);
}

function entryText(symbol: ts.Symbol): string {
  const [declaration] = symbol.declarations ?? [];
  const isType = ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration);
  const text = ts.isClassDeclaration(declaration)
    ? formatClass(symbol, declaration)
    : isType
      ? formatType(symbol, declaration)
      : formatFunction(symbol, declaration);
  return joinParagraphs([`### ${symbol.name}`, text]);
}

/** Order of exports: functions and classes, then constants, then types; each by name. */
function rankOf({ flags }: ts.Symbol): number {
  if (flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class)) return 0;
  return flags & ts.SymbolFlags.Variable ? 1 : 2;
}

function compareByRank(a: ts.Symbol, b: ts.Symbol): number {
  return rankOf(a) - rankOf(b) || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1);
}

/**
 * Type of a constant or definition of an alias, if it has no properties to describe and fits a row of a
 * table.
 */
function findBriefDefinition(symbol: ts.Symbol): string | undefined {
  const [declaration] = symbol.declarations ?? [];
  if (ts.isVariableDeclaration(declaration)) {
    const type = typeChecker.getTypeOfSymbolAtLocation(symbol, declaration);
    return typeChecker.typeToString(type, declaration, TYPE_FORMAT_FLAGS);
  }
  const isBriefAlias = ts.isTypeAliasDeclaration(declaration) && !/[{}\n]/.test(declaration.type.getText());
  return isBriefAlias && isDeclaredHere(symbol, declaration) ? declaration.type.getText() : undefined;
}

/** Formats constants and short aliases as one table. */
function makeBriefTable(symbols: readonly ts.Symbol[]): string {
  if (symbols.length === 0) return '';
  const rows = symbols.map((symbol) => {
    const cells = [
      formatCode(symbol.name),
      formatCode(findBriefDefinition(symbol)!),
      joinLines(readDocCommentText(symbol)),
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll(
      / {2,}(?=\|)/g,
      ' ',
    );
  });
  return ['| name | type | meaning |', '|---|---|---|', ...rows].join('\n');
}

function isInFolders(folders: readonly string[], symbol: ts.Symbol): boolean {
  const file = symbol.declarations?.[0].getSourceFile().fileName ?? '';
  return folders.some((folder) => file.startsWith(`${repositoryRoot}host/${folder}`));
}

/** Returns the reference of every export, section by section. */
export function makeLibraryReference(): string {
  const allSymbols = [...exportsOnNode.values()];
  const sections = Object.entries(FOLDERS_BY_SECTION).map(([title, folders]) => {
    const symbols = allSymbols.filter((symbol) => isInFolders(folders, symbol)).sort(compareByRank);
    const briefSymbols = symbols.filter((symbol) => findBriefDefinition(symbol) !== undefined);
    const longSymbols = symbols.filter((symbol) => !briefSymbols.includes(symbol));
    return joinParagraphs([`## ${title}`, makeBriefTable(briefSymbols), ...longSymbols.map(entryText)]);
  });
  const coreSectionParagraphs = [
    '## Live runs of gridalloc/core',
    ...liveRunSymbols.sort(compareByRank).map(entryText),
  ];
  return [...sections, joinParagraphs(coreSectionParagraphs)].join('\n\n');
}
