import { useState } from 'react';
import type { Segment, TimeSpan } from '../../../../../shared/domain/transcript/transcript.ts';
import { isPartlyUnheard } from '../../../../../shared/domain/transcript/unheard-spans.ts';
import { captionFormat, changeChoices, exporters } from '../../../../../shared/domain/exports/exporters.ts';
import { cueOptions } from '../../../../../shared/domain/exports/exporter.ts';
import type { ExportFormat } from '../../../../../shared/domain/exports/formats.ts';
import {
  plainName,
  readOptions,
  type ChangedOptions,
  type OptionFacts,
  type OptionSpecs,
} from '../../../../../shared/domain/exports/options.ts';
import { useSettings, useSettingsNow } from '../../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../../bridge/use-settings-change.ts';
import { numbersOfProfile } from '../../../../parts/exports/profile-of.ts';
import { useDocument, useEditor, useSegments } from '../../editor-context.ts';
import { scriptSetting } from '../../model/script-choice.ts';
import { optionsNow, type OptionsNow } from './options-now.ts';

/** How captions are made and named, and their limits; fixes and times of one file are not among them. */
const lastingNames: ReadonlySet<string> = new Set(['cuesFrom', 'speakers', ...numbersOfProfile]);
const isLasting = (key: string): boolean => lastingNames.has(plainName(key));

type ExportSource = 'studio' | 'service';

/** Formats that the service offers as well. */
export const serviceFormats: ReadonlySet<ExportFormat> = new Set(['txt', 'json', 'srt', 'vtt']);

export interface ExportChoice extends OptionsNow {
  readonly format: ExportFormat;
  readonly specs: OptionSpecs;
  readonly source: ExportSource;
  /** The time span of the words that were selected when the dialog opened. */
  readonly selected: TimeSpan | null;
  /** True when the file uses another alphabet than the stored transcript. */
  readonly isOther: boolean;
  readonly chooseFormat: (format: ExportFormat) => void;
  readonly change: (changed: ChangedOptions) => void;
  readonly chooseSource: (source: ExportSource) => void;
  readonly chooseOther: (isOther: boolean) => void;
}

/** The chosen format and its options; starts with those of the last export. */
export function useExportChoice(): ExportChoice {
  const { detail, scriptChoice, store } = useEditor();
  const settings = useSettings();
  const settingsNow = useSettingsNow();
  const changeSettings = useSettingsChange();
  const segments = useSegments();
  const [selected] = useState(() => selectedSpan(segments));
  const [format, chooseFormat] = useState<ExportFormat>(() =>
    store.getState().exportOpenedAt === 'captionStyle'
      ? captionFormat(settings.lastExportFormat)
      : (settings.lastExportFormat ?? 'srt'),
  );
  const [choices, setChoices] = useState(settings.exportChoices);
  const [wantedSource, chooseSource] = useState<ExportSource>('studio');
  // The export uses the alphabet on the screen until the user chooses another.
  const [wantsOther, chooseOther] = useState<boolean | null>(null);
  const isOther = wantsOther ?? scriptChoice?.isOther ?? false;
  const specs: OptionSpecs = exporters[format].options;
  const hasCuts = useDocument(({ transcript }) => isPartlyUnheard(transcript));
  const now = optionsNow(choices[format], format, scriptSetting(scriptChoice, isOther), detail, hasCuts);
  return {
    format,
    specs,
    ...now,
    selected,
    source: serviceFormats.has(format) ? wantedSource : 'studio',
    isOther,
    chooseFormat,
    change: (changed) => {
      setChoices((known) => changeChoices(known, format, changed));
      const lasting = lastingOf(changed, now.facts);
      if (Object.keys(lasting).length > 0)
        void changeSettings({ exportChoices: changeChoices(settingsNow().exportChoices, format, lasting) });
    },
    chooseSource,
    chooseOther,
  };
}

/**
 * The choices that make the captions of every file, and of the check in the editor: they count as soon as they are made,
 * exported or not.
 */
function lastingOf(changed: ChangedOptions, facts: OptionFacts): ChangedOptions {
  const lasting = Object.entries(changed).filter(([key]) => isLasting(key));
  const usual = readOptions(cueOptions, {}, facts).cuesFrom;
  return Object.fromEntries(
    // What the text suggests is no choice for others, which may suggest something else.
    lasting.map(([key, value]) => [key, key === 'cuesFrom' && value === usual ? undefined : value]),
  );
}

/** The time span of the selected words; null without a selection. */
export function selectedSpan(segments: readonly Segment[]): TimeSpan | null {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const spans = [...document.querySelectorAll<HTMLElement>('[data-text]')].flatMap((host) => {
    if (!range.intersectsNode(host)) return [];
    const segment = segments.find(({ id }) => id === host.dataset['text']);
    if (segment === undefined) return [];
    const inside = document.createRange();
    inside.selectNodeContents(host);
    const isFirst = host.contains(range.startContainer);
    const isLast = host.contains(range.endContainer);
    const from = isFirst ? lengthUntil(host, range.startContainer, range.startOffset) : 0;
    const to = isLast ? lengthUntil(host, range.endContainer, range.endOffset) : host.textContent.length;
    return wordsWithin(segment, from, to);
  });
  const [first] = spans;
  const last = spans.at(-1);
  return first === undefined || last === undefined ? null : { startMs: first.startMs, endMs: last.endMs };
}

function lengthUntil(host: HTMLElement, node: Node, offset: number): number {
  const range = document.createRange();
  range.selectNodeContents(host);
  range.setEnd(node, offset);
  return range.toString().length;
}

function wordsWithin({ text, words }: Segment, from: number, to: number): readonly TimeSpan[] {
  let at = 0;
  return words.filter((word) => {
    const start = Math.max(at, text.indexOf(word.text, at));
    at = start + word.text.length;
    return start < to && at > from;
  });
}
