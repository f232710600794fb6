import type { OverlayAction, OverlayBridge, OverlayView } from '../../electron/ipc/overlay.ts';
import '../ui/tokens.css';
import './overlay.css';

declare global {
  interface Window {
    readonly overlay: OverlayBridge;
  }
}

const byId = (id: string): HTMLElement => document.querySelector<HTMLElement>(`#${id}`)!;
const main = document.querySelector('main')!;
const [meter, lines, said, note] = [byId('meter'), byId('lines'), byId('said'), byId('note')];
const [keys, time, spoken] = [byId('keys'), byId('time'), byId('spoken')];
const [act, stop, discard, hide] = [byId('act'), byId('stop'), byId('discard'), byId('hide')];
let does: OverlayAction | null = null;

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
}

function show(view: OverlayView): void {
  const root = document.documentElement;
  root.lang = view.language;
  if (view.appearance === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = view.appearance;
  root.toggleAttribute('data-contrast', view.contrast === 'high');
  document.title = view.words.title;
  const isOn = ['listening', 'near', 'offline'].includes(view.state);
  main.dataset['state'] = view.state;
  main.hidden = false;
  stop.hidden = !isOn;
  discard.hidden = !isOn;
  stop.ariaLabel = view.words.stop;
  discard.ariaLabel = view.words.discard;
  hide.ariaLabel = view.words.hide;
  const isText = view.text !== '' && ['listening', 'text', 'kept'].includes(view.state);
  meter.hidden = !(view.state === 'near' || (view.state === 'listening' && !isText));
  // Near the limit a sentence needs the room.
  const levels = view.state === 'near' ? view.levels.slice(-12) : view.levels;
  while (meter.childElementCount > levels.length) meter.lastElementChild?.remove();
  while (meter.childElementCount < levels.length) meter.append(document.createElement('i'));
  for (const [at, bar] of [...meter.children].entries())
    (bar as HTMLElement).style.blockSize = `${String(4 + (levels[at] ?? 0) * 24)}px`;
  said.textContent = isText ? view.text : view.notice;
  said.lang = isText ? view.spoken : view.language;
  said.toggleAttribute('data-words', isText);
  note.textContent = view.note;
  note.hidden = view.note === '';
  lines.hidden = said.textContent === '' && view.note === '';
  keys.replaceChildren(...view.keys.map((cap) => Object.assign(document.createElement('kbd'), { textContent: cap })));
  keys.hidden = view.keys.length === 0;
  does = view.action?.does ?? null;
  act.hidden = does === null;
  act.textContent = view.action?.text ?? '';
  time.hidden = !isOn;
  time.textContent = clock(view.onForMs);
  spoken.hidden = !isOn && view.state !== 'ready';
  spoken.textContent = view.spoken.toUpperCase();
}

act.addEventListener('click', () => {
  if (does !== null) window.overlay.send({ type: 'act', does });
});
stop.addEventListener('click', () => window.overlay.send({ type: 'stop' }));
discard.addEventListener('click', () => window.overlay.send({ type: 'discard' }));
hide.addEventListener('click', () => window.overlay.send({ type: 'hide' }));
window.overlay.onView(show);
window.overlay.send({ type: 'ready' });
