import type { SettingName } from './settings-index.ts';

const control = 'button, input, a[href], select, textarea, [tabindex="0"]';
const shownForMs = 2500;

/**
 * Scrolls to a setting of the current page, highlights it for a moment and focuses its control. Waits for one that
 * appears only after main's answer. Returns a function that cancels it.
 */
export function scrollToSetting(name: SettingName): () => void {
  const find = () => document.querySelector<HTMLElement>(`[data-setting="${name}"]`);
  let stop = (): void => undefined;
  const here = find();
  if (here !== null) return markSetting(here);
  const drawn = new MutationObserver(() => {
    const setting = find();
    if (setting === null) return;
    drawn.disconnect();
    stop = markSetting(setting);
  });
  drawn.observe(document.body, { childList: true, subtree: true });
  return () => {
    drawn.disconnect();
    stop();
  };
}

function markSetting(setting: HTMLElement): () => void {
  setting.scrollIntoView({ block: 'center' });
  setting.toggleAttribute('data-found', true);
  const chosen = setting.querySelector<HTMLElement>('input:checked') ?? setting.querySelector<HTMLElement>(control);
  chosen?.focus({ preventScroll: true });
  const stop = () => {
    setting.removeAttribute('data-found');
  };
  const timer = setTimeout(stop, shownForMs);
  return () => {
    clearTimeout(timer);
    stop();
  };
}
