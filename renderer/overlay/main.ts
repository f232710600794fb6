import type { OverlayBridge, OverlayView } from '../../shared/ipc/overlay.ts';
import '../ui/tokens.css';
import './overlay.css';

declare global {
  interface Window {
    readonly overlay: OverlayBridge;
  }
}

const byId = (id: string): HTMLElement => document.querySelector<HTMLElement>(`#${id}`)!;
const [main, meter, said, time, spoken] = [
  document.querySelector('main')!,
  ...['meter', 'said', 'time', 'spoken'].map(byId),
];
const [stop, hide] = [byId('stop'), byId('hide')];

/** 0:07 */
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
  const isOn = view.state === 'listening' || view.state === 'offline';
  main.dataset['state'] = view.state;
  main.hidden = false;
  stop.hidden = !isOn;
  stop.ariaLabel = view.words.stop;
  hide.ariaLabel = view.words.hide;
  meter!.hidden = view.state !== 'listening' || view.text !== '';
  while (meter!.childElementCount < view.levels.length) meter!.append(document.createElement('i'));
  for (const [at, bar] of [...meter!.children].entries())
    (bar as HTMLElement).style.blockSize = `${String(4 + (view.levels[at] ?? 0) * 24)}px`;
  const isText = view.text !== '' && view.state !== 'offline';
  said!.textContent = isText ? view.text : view.notice;
  said!.lang = isText ? view.spoken : view.language;
  said!.toggleAttribute('data-words', isText);
  said!.hidden = said!.textContent === '' || (!isText && !meter!.hidden);
  time!.hidden = !isOn;
  time!.textContent = clock(view.onForMs);
  spoken!.textContent = view.spoken.toUpperCase();
}

stop.addEventListener('click', () => window.overlay.send({ type: 'stop' }));
hide.addEventListener('click', () => window.overlay.send({ type: 'hide' }));
window.overlay.onView(show);
window.overlay.send({ type: 'ready' });
