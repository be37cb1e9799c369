/** Generates the library reference from the types and comments of its exports. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { OPTIONS } from '../host/options/options.js';
import { METRICS } from '../host/simulate/metrics.js';

const root = fileURLToPath(new URL('../', import.meta.url));
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
  'Explaining a job': ['explain'],
  'Statistics of replications': ['statistics'],
  'Files of a simulation': ['results', 'config'],
  'Running studies': ['study', 'runs'],
  Reports: ['show', 'draw'],
  Errors: ['errors.ts'],
};

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
  ts.sys,
  root,
);
const program = ts.createProgram([`${root}host/index.ts`, `${root}host/portable.ts`], options);
const checker = program.getTypeChecker();

/** Returns the exports of a module by name. */
function exportsOf(path: string): Map<string, ts.Symbol> {
  const source = program.getSourceFile(root + path);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${path} exports nothing`);
  const resolved = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, resolved(symbol)]));
}

const onNode = exportsOf('host/index.ts');
const anywhere = exportsOf('host/portable.ts');

const code = (text: string) => `\`${text.replaceAll(/\s+/g, ' ')}\``;
const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ').trim();

function commentOf(symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
}

/** Symbol or signature with a comment that has tags. */
interface Commented {
  getJsDocTags(checker?: ts.TypeChecker): ts.JSDocTagInfo[];
}

function tagsOf(commented: Commented, name: string): string[] {
  const tags = commented.getJsDocTags(checker).filter((tag) => tag.name === name);
  return tags.map((tag) => ts.displayPartsToString(tag.text).trim());
}

/** Formats the comments of parameters, result and errors, and the examples. */
function remarks(commented: Commented): string[] {
  const parameters = tagsOf(commented, 'param').map((text) => {
    const [, name, meaning] = /^(\S+) ([\s\S]*)$/.exec(text) ?? [];
    return `- ${code(name)}: ${oneLine(meaning)}`;
  });
  const results = tagsOf(commented, 'returns').map((text) => `- Returns ${oneLine(text)}`);
  const errors = tagsOf(commented, 'throws').map(
    (text) => `- Throws ${oneLine(text).replace(/^\w*Error\b/, '`$&`')}`,
  );
  const list = [...parameters, ...results, ...errors].join('\n');
  return [list, ...tagsOf(commented, 'example').map((text) => fenced('js', text))];
}

const paragraphs = (parts: readonly string[]) => parts.filter((part) => part !== '').join('\n\n');

/** Name of a variable of a type. */
const variableOf = (type: string) => type[0].toLowerCase() + type.slice(1);

/** Formats a parameter; a destructured one has the name in its comment, or that of its type. */
function parameterText(parameter: ts.ParameterDeclaration, unnamed: string | undefined): string {
  const { name, type, questionToken, initializer } = parameter;
  const text = type?.getText() ?? checker.typeToString(checker.getTypeAtLocation(parameter));
  const called = ts.isIdentifier(name) ? name.text : (unnamed ?? variableOf(text));
  return `${called}${questionToken || initializer ? '?' : ''}: ${text}`;
}

/** Formats a call with its parameters, one per line if a single line would be too long. */
function callText(name: string, signature: ts.Signature): string {
  const { declaration } = signature;
  const declared = declaration?.parameters.filter(ts.isParameter) ?? [];
  const names = declared.map((parameter) => parameter.name.getText());
  const unnamed = tagsOf(signature, 'param')
    .map((text) => text.split(' ')[0])
    .find((each) => !names.includes(each));
  const parameters = declared.map((parameter) => parameterText(parameter, unnamed));
  const result = declaration?.type === undefined ? '' : `: ${declaration.type.getText()}`;
  const text = `${name}(${parameters.join(', ')})${result}`;
  if (text.length <= LONGEST_LINE) return text;
  return [`${name}(`, ...parameters.map((parameter) => `  ${parameter},`), `)${result}`].join('\n');
}

function signaturesOf(symbol: ts.Symbol, declaration: ts.Declaration): readonly ts.Signature[] {
  return checker.getTypeOfSymbolAtLocation(symbol, declaration).getCallSignatures();
}

function typeOf(property: ts.Symbol, place: ts.Declaration): string {
  const [declared] = property.declarations ?? [];
  const node =
    declared && (ts.isPropertySignature(declared) || ts.isPropertyDeclaration(declared))
      ? declared.type
      : undefined;
  const text =
    node?.getText() ??
    checker.typeToString(checker.getTypeOfSymbolAtLocation(property, place), place, TYPE_TEXT);
  return property.flags & ts.SymbolFlags.Optional ? text.replace(/ \| undefined$/, '') : text;
}

/** Meaning of a property in the tables of options and metrics. */
function meaningInTables(name: string): string {
  const option = Object.values(OPTIONS).find(({ key }) => key === name);
  const metric = Object.entries({ ...METRICS.run, ...METRICS.decisions, ...METRICS.sites, ...METRICS.homes });
  return option?.help ?? metric.find(([each]) => each === name)?.[1].label ?? '';
}

/** True if a property comes from a table of options or metrics. */
const isListed = ({ declarations }: ts.Symbol) => declarations?.every(ts.isPropertyAssignment) ?? true;

const OPTION_KEYS = Object.values(OPTIONS).map(({ key }) => key as string);

/** True if the core's bindings declare a member, which docs/abi.md describes. */
const isOfBindings = ({ declarations }: ts.Symbol) =>
  declarations?.some((each) => each.getSourceFile().isDeclarationFile) ?? false;

function propertyTable(members: readonly ts.Symbol[], place: ts.Declaration): string {
  if (members.length === 0 || members.some(isOfBindings)) return '';
  const properties = [...members];
  const positionOf = (property: ts.Symbol) =>
    property.declarations ? -1 : OPTION_KEYS.indexOf(property.name);
  properties.sort((a, b) => positionOf(a) - positionOf(b));
  // Fields of a log may have names of options, so a type counts as a table's only if the table has all its
  // properties.
  const listed = properties.filter((property) => isListed(property) && commentOf(property) === '');
  const areInTables = listed.every(({ name }) => meaningInTables(name) !== '');
  const rows = properties.map((property) => {
    const name = property.name + (property.flags & ts.SymbolFlags.Optional ? '?' : '');
    const fromTable = areInTables && listed.includes(property) ? meaningInTables(property.name) : '';
    const meaning = oneLine(commentOf(property)) || fromTable;
    return `| ${code(name)} | ${code(typeOf(property, place)).replaceAll('|', '\\|')} | ${meaning.replaceAll('|', '\\|')} |`;
  });
  return ['| property | type | meaning |', '|---|---|---|', ...rows]
    .join('\n')
    .replaceAll(/ {2,}(?=\|)/g, ' ');
}

const isMethod = (member: ts.Symbol) => (member.flags & ts.SymbolFlags.Method) !== 0;

function methodText(method: ts.Symbol, owner: string, place: ts.Declaration): string {
  const calls = signaturesOf(method, place).map((signature) =>
    callText(`${owner}.${method.name}`, signature),
  );
  return paragraphs([fenced('ts', calls.join('\n')), commentOf(method), ...remarks(method)]);
}

/** Returns members in source order, without those of the language, such as iterators. */
const named = (members: readonly ts.Symbol[]) => members.filter(({ name }) => !name.startsWith('__'));

function classText(symbol: ts.Symbol, declaration: ts.ClassDeclaration): string {
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const own = declaration.members.flatMap((member) => {
    const isHidden = member.name === undefined || ts.isPrivateIdentifier(member.name);
    const found = isHidden ? undefined : checker.getSymbolAtLocation(member.name);
    return found === undefined ? [] : [found];
  });
  const isStatic = (member: ts.Symbol) =>
    (ts.getCombinedModifierFlags(member.valueDeclaration as ts.Declaration) & ts.ModifierFlags.Static) !== 0;
  const owner = variableOf(symbol.name);
  const constructors = type.getConstructSignatures();
  const calls = constructors.map((signature) => callText(`new ${symbol.name}`, signature));
  const methods = named(own.filter(isMethod)).map((method) =>
    methodText(method, isStatic(method) ? symbol.name : owner, declaration),
  );
  const fields = own.filter((member) => !isMethod(member));
  return paragraphs([
    commentOf(symbol),
    // Constructors of errors are those of the language.
    ...(declaration.heritageClauses
      ? []
      : [fenced('ts', calls.join('\n')), ...constructors.flatMap(remarks)]),
    ...remarks(symbol),
    propertyTable(fields, declaration),
    ...methods,
  ]);
}

function typeText(symbol: ts.Symbol, declaration: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): string {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const isWritten =
    ts.isTypeAliasDeclaration(declaration) &&
    (type.isUnion() || ts.isTypeOperatorNode(declaration.type) || type.getProperties().length > 60);
  if (isWritten)
    return paragraphs([commentOf(symbol), fenced('ts', declaration.getText().replace('export ', ''))]);
  const methods = named(type.getProperties()).filter(isMethod);
  const fields = named(type.getProperties()).filter((member) => !isMethod(member));
  const owner = variableOf(symbol.name);
  return paragraphs([
    commentOf(symbol),
    propertyTable(fields, declaration),
    ...methods.map((method) => methodText(method, owner, declaration)),
  ]);
}

function functionText(symbol: ts.Symbol, declaration: ts.Declaration): string {
  const calls = signaturesOf(symbol, declaration).map((signature) => callText(symbol.name, signature));
  return paragraphs([fenced('ts', calls.join('\n')), commentOf(symbol), ...remarks(symbol)]);
}

function constantText(symbol: ts.Symbol, declaration: ts.Declaration): string {
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const text = `const ${symbol.name}: ${checker.typeToString(type, declaration, TYPE_TEXT)}`;
  return paragraphs([fenced('ts', text), commentOf(symbol), ...remarks(symbol)]);
}

function entryText(symbol: ts.Symbol): string {
  const [declaration] = symbol.declarations ?? [];
  const isOnNode = !anywhere.has(symbol.name);
  const text = ts.isFunctionDeclaration(declaration)
    ? functionText(symbol, declaration)
    : ts.isClassDeclaration(declaration)
      ? classText(symbol, declaration)
      : ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)
        ? typeText(symbol, declaration)
        : constantText(symbol, declaration);
  return paragraphs([`### ${symbol.name}`, isOnNode ? '*On Node only.*' : '', text]);
}

/** Order of exports: functions and classes, then constants, then types; each by name. */
function rankOf({ flags }: ts.Symbol): number {
  if (flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class)) return 0;
  return flags & ts.SymbolFlags.Variable ? 1 : 2;
}

function byRank(a: ts.Symbol, b: ts.Symbol): number {
  return rankOf(a) - rankOf(b) || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1);
}

function isIn(folders: readonly string[], symbol: ts.Symbol): boolean {
  const file = symbol.declarations?.[0].getSourceFile().fileName ?? '';
  return folders.some((folder) => file.startsWith(`${root}host/${folder}`));
}

/** Returns the reference of every export, section by section. */
export function libraryReference(): string {
  const all = [...onNode.values()];
  const sections = Object.entries(SECTIONS).map(([title, folders]) => {
    const symbols = all.filter((symbol) => isIn(folders, symbol)).sort(byRank);
    return [`## ${title}`, ...symbols.map(entryText)].join('\n\n');
  });
  return sections.join('\n\n');
}
