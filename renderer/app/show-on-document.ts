import type { Settings } from '../bridge/types.ts';

/** Puts what the styles read of the settings on the page's root. */
export function showOnDocument(settings: Settings): void {
  const { documentElement } = document;
  const { appearance, contrast, transcriptTypeface, reducesMotion, transcriptSize } = settings;
  if (appearance === 'system') delete documentElement.dataset['theme'];
  else documentElement.dataset['theme'] = appearance;
  documentElement.toggleAttribute('data-contrast', contrast === 'high');
  documentElement.toggleAttribute('data-sans', transcriptTypeface === 'sans');
  if (reducesMotion) documentElement.dataset['motion'] = 'reduce';
  else delete documentElement.dataset['motion'];
  documentElement.style.setProperty('--words-md', `${String(transcriptSize)}px`);
  documentElement.style.setProperty('--words-md-lh', `${String(Math.round(transcriptSize * 1.7))}px`);
}
