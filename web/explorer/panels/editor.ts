/** Small editor for user-written functions. A function from a link does not run until the user allows it. */
import { saveAsFile } from '../../figures/saving.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createElement } from '../dom.js';
import type { UserCodeFile } from '../model.js';

const DEFAULT_CODE_FILE_NAME = 'mine.js';
/** Example policy that a new file starts with. */
const POLICY_CODE_TEMPLATE = `// Which site a job gets: the number of a site with room, or 0 for the job to wait.
export default function choose({ job, sites, bestFit }) {
  // The fastest site that keeps a quarter of its processors free, else what best-fit takes.
  const kept = sites.filter(({ free, capacity }) => free - job.processors >= capacity / 4);
  return kept.length === 0
    ? bestFit
    : kept.reduce((one, two) => (two.speed > one.speed ? two : one)).number;
}
`;

/** Derives a file name that options recognize as a file and not as a policy name. */
function makeCodeFileName(fileNameInput: string): string {
  const safeFileName = fileNameInput.trim().replaceAll(/[^\w.-]/g, '-') || DEFAULT_CODE_FILE_NAME;
  return /\.[cm]?js$/.test(safeFileName) ? safeFileName : `${safeFileName}.js`;
}

/** @param errorElement element that shows errors in the code. */
function createCodeEditor(
  controller: ExplorerController,
  { name: fileName, text: fileText, isTrusted }: UserCodeFile,
  fileIndex: number,
  errorElement: HTMLElement,
): HTMLElement {
  const fileNameField = createElement('input', {
    type: 'text',
    id: `code-name-${fileIndex}`,
    value: fileName,
    spellcheck: false,
  });
  const codeTextField = createElement('textarea', {
    id: `code-${fileIndex}`,
    value: fileText,
    rows: 12,
    spellcheck: false,
    'aria-label': `Text of ${fileName}`,
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) runCodeButton.click();
    },
  });
  const runCode = async () => {
    errorElement.hidden = true;
    const fault = await controller.trustCodeFile(makeCodeFileName(fileNameField.value), codeTextField.value);
    [errorElement.textContent, errorElement.hidden] = [fault, fault === ''];
  };
  const runCodeButton = createButton(
    'Run this code',
    () => void runCode(),
    'Run it and compare it (Ctrl + Enter)',
    'primary',
  );
  const warning =
    'This code came with the link or the folder and has not run. Read it first; once you agree, it runs in a worker without network access.';
  return createElement(
    'div',
    { className: 'code' },
    !isTrusted && fileText !== POLICY_CODE_TEMPLATE && createElement('p', { className: 'fault' }, warning),
    createElement(
      'div',
      { className: 'field' },
      createElement('label', { htmlFor: fileNameField.id }, 'file'),
      fileNameField,
    ),
    codeTextField,
    createElement(
      'div',
      { className: 'actions' },
      runCodeButton,
      createButton('Save the file', () =>
        saveAsFile(makeCodeFileName(fileNameField.value), 'text/javascript', codeTextField.value),
      ),
    ),
    errorElement,
  );
}

/** Returns the panel, and a function that opens it with a new policy. */
export function createCodeEditorPanel(controller: ExplorerController): {
  readonly element: HTMLElement;
  /** Notice of functions that are not allowed to run yet, with a link to them. */
  readonly notice: HTMLElement;
  readonly edit: () => void;
} {
  const { model } = controller;
  const editorsContainer = createElement('div', { className: 'codes' });
  const hint =
    'As --policy FILE.js takes it: the function is asked wherever at least two sites have room; with export const mayWait = true also where one has.';
  const element = createElement(
    'section',
    { className: 'card wide', id: 'own-functions', hidden: true },
    createElement('h2', {}, 'Custom functions'),
    createElement('p', { className: 'hint' }, hint),
    editorsContainer,
  );
  // Error elements, one for each file; they outlive the editors, which are recreated after each change.
  const errorElements: HTMLElement[] = [];
  const errorElementOfFile = (fileIndex: number) =>
    (errorElements[fileIndex] ??= createElement('p', { className: 'fault', role: 'alert', hidden: true }));
  const notice = createElement('p', { className: 'notice', role: 'status', hidden: true });
  const scrollToUntrustedCode = () => {
    element.scrollIntoView();
    const fileIndex = model.code.findIndex(({ name }) => controller.untrustedNames.includes(name));
    document.getElementById(`code-${fileIndex}`)?.focus({ preventScroll: true });
  };
  controller.state.on(() => {
    const { untrustedNames, fault } = controller;
    notice.hidden = untrustedNames.length === 0 || fault !== '';
    if (notice.hidden) return;
    const untrustedNamesText = untrustedNames.join(', ');
    notice.replaceChildren(
      `${untrustedNamesText} came with the link or the folder and has not run. `,
      createButton('Read the code', scrollToUntrustedCode),
    );
  });
  let lastRenderedCodeJson = '';
  const renderCodeEditors = () => {
    const key = JSON.stringify(model.code);
    if (key === lastRenderedCodeJson) return;
    lastRenderedCodeJson = key;
    element.hidden = model.code.length === 0;
    editorsContainer.replaceChildren(
      ...model.code.map((code, fileIndex) =>
        createCodeEditor(controller, code, fileIndex, errorElementOfFile(fileIndex)),
      ),
    );
  };
  model.settingsChanged.on(renderCodeEditors);
  const addCodeFileAndOpenEditor = () => {
    const isNewFile = !model.code.some(({ name }) => name === DEFAULT_CODE_FILE_NAME);
    const fileName = isNewFile ? DEFAULT_CODE_FILE_NAME : `mine${model.code.length + 1}.js`;
    model.code = [...model.code, { name: fileName, text: POLICY_CODE_TEMPLATE, isTrusted: false }];
    renderCodeEditors();
    element.scrollIntoView({ block: 'center' });
    document.getElementById(`code-${model.code.length - 1}`)?.focus();
  };
  return { element, notice, edit: addCodeFileAndOpenEditor };
}
