import type { SettingName } from './settings-index.ts';

const control = 'button, input, a[href], select, textarea, [tabindex="0"]';
const shownForMs = 2500;

/** Scrolls to a setting of the page that is shown, marks it for a moment and gives its control the focus. */
export function scrollToSetting(name: SettingName): () => void {
  const setting = document.querySelector<HTMLElement>(`[data-setting="${name}"]`);
  if (setting === null) return () => undefined;
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
