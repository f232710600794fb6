import type { KeyEntryBridge } from '../../electron/ipc/key-entry.ts';
import '../ui/tokens.css';
import './key.css';

declare global {
  interface Window {
    readonly keyEntry: KeyEntryBridge;
  }
}

const { keyEntry } = window;
const byId = <T extends HTMLElement>(id: string): T => document.querySelector<T>(`#${id}`)!;
const input = byId<HTMLInputElement>('key');
const reveal = byId<HTMLButtonElement>('reveal');
const save = byId<HTMLButtonElement>('save');
const problem = byId('problem');
const words = await keyEntry.words();

document.documentElement.lang = words.language;
if (words.appearance !== 'system') document.documentElement.dataset['theme'] = words.appearance;
document.documentElement.toggleAttribute('data-contrast', words.contrast === 'high');
document.title = words.title;
for (const name of ['title', 'label', 'hint', 'save', 'cancel'] as const) byId(name).textContent = words[name];
document.querySelector('main')!.hidden = false;

function showKey(isShown: boolean): void {
  input.type = isShown ? 'text' : 'password';
  reveal.textContent = isShown ? words.hide : words.show;
  reveal.setAttribute('aria-pressed', String(isShown));
}

function showProblem(text: string): void {
  problem.textContent = text;
  input.toggleAttribute('aria-invalid', text !== '');
  if (text !== '') input.focus();
}

async function submit(): Promise<void> {
  save.disabled = true;
  const answer = await keyEntry.submitKey(input.value);
  save.disabled = false;
  if (!answer.accepted) {
    showProblem(answer.problem);
    return;
  }
  input.value = '';
}

reveal.addEventListener('click', () => showKey(input.type === 'password'));
input.addEventListener('input', () => showProblem(''));
byId('cancel').addEventListener('click', () => keyEntry.cancel());
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') keyEntry.cancel();
});
document.querySelector('form')!.addEventListener('submit', (event) => {
  event.preventDefault();
  void submit();
});
showKey(false);
input.focus();
