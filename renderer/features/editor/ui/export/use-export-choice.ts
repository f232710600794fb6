import { useState, useDeferredValue } from 'react';
import type { InterfaceLanguage } from '../../../../../shared/domain/languages.ts';
import { otherScript } from '../../../../../shared/domain/transcript/in-script.ts';
import type { Segment, TimeSpan } from '../../../../../shared/domain/transcript/transcript.ts';
import { isPartlyUnheard, withoutStruckWords } from '../../../../../shared/domain/transcript/edit-marks.ts';
import { captionFormat, changeChoices, exporters } from '../../../../../shared/domain/exports/exporters.ts';
import {
  cueOptions,
  plainName,
  readOptions,
  type ChangedOptions,
  type OptionFacts,
  type OptionSpecs,
} from '../../../../../shared/domain/exports/exporter.ts';
import { type ExportFormat, isCutFormat, isVideoFormat } from '../../../../../shared/domain/exports/formats.ts';
import { useSettings, useSettingsNow } from '../../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../../bridge/use-settings-change.ts';
import { numbersOfProfile } from '../../../../parts/exports/profile-of.ts';
import { useDocument, useEditor, useSegments } from '../../editor-context.ts';
import { optionsNow, useCheckedFile } from '../use-caption-problems.ts';
import { useQuery } from '@tanstack/react-query';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import type { RequestOutput, SubtitleCheck } from '../../../../bridge/types.ts';
import { placeOfCaption } from '../../model/caption-problems.ts';
import { wordsInText } from '../../model/block-selection.ts';
import { offsetOf } from '../caret.ts';
import { valueOrThrow } from '../../../../bridge/request-error.ts';

const lasting: ReadonlySet<string> = new Set(['cuesFrom', 'speakers', ...numbersOfProfile]);

type ExportSource = 'studio' | 'service';

export const serviceFormats: ReadonlySet<ExportFormat> = new Set(['txt', 'json', 'srt', 'vtt']);

export type ExportChoice = ReturnType<typeof useExportChoice>;

export function useExportChoice() {
  const { detail, script, store } = useEditor();
  const settings = useSettings();
  const settingsNow = useSettingsNow();
  const changeSettings = useSettingsChange();
  const segments = useSegments();
  const [selected] = useState(() => selectedTimes(segments));
  const video = useVideo();
  const [wanted, chooseFormat] = useState<ExportFormat>(() =>
    store.getState().exportOpenedAt === 'captionStyle'
      ? captionFormat(settings.lastExportFormat)
      : (settings.lastExportFormat ?? 'srt'),
  );
  // What was exported last may be a video, and this one be none, or another.
  const isOffered = !isVideoFormat(wanted) || video?.containers.includes(wanted) === true;
  const format = isOffered ? wanted : (video?.containers[0] ?? 'srt');
  const [choices, setChoices] = useState(settings.exportChoices);
  const [wantedSource, chooseSource] = useState<ExportSource>('studio');
  const specs: OptionSpecs = exporters[format].options;
  const hasCuts = useDocument(({ transcript }) => isPartlyUnheard(transcript));
  const now = optionsNow(choices[format], format, detail, script, hasCuts);
  const isOther = script !== null && now.options['script'] === otherScript(script);
  const source: ExportSource = serviceFormats.has(format) ? wantedSource : 'studio';
  const isInCyrillic = script !== null && isOther === (script === 'latin');
  const lang: InterfaceLanguage = isInCyrillic ? 'uz-Cyrl' : detail.transcript.language;
  return {
    format,
    video: video ?? null,
    specs,
    ...now,
    selected,
    source,
    isOther,
    lang,
    chooseFormat,
    change: (changed: ChangedOptions) => {
      setChoices((known) => changeChoices(known, format, changed));
      const kept = lastingOf(changed, now.facts);
      if (Object.keys(kept).length > 0)
        void changeSettings({ exportChoices: changeChoices(settingsNow().exportChoices, format, kept) });
    },
    chooseSource,
  };
}

/** What a video can be cut into; null for other recordings, undefined until that is known. */
function useVideo(): RequestOutput<'exports.video'>['video'] | undefined {
  const studio = useStudio();
  const { id: transcriptId, pictureUrl } = useEditor().detail;
  const isVideo = pictureUrl !== null;
  const { data } = useQuery({
    queryKey: ['export-video', transcriptId, isVideo],
    queryFn: () => valueOrThrow(studio.request('exports.video', { transcriptId })),
    enabled: isVideo,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return isVideo ? data?.video : null;
}

/** What makes the captions of every file, and of the check, counts at once, exported or not. */
function lastingOf(changed: ChangedOptions, facts: OptionFacts): ChangedOptions {
  const usual = readOptions(cueOptions, {}, facts).cuesFrom;
  return Object.fromEntries(
    Object.entries(changed)
      .filter(([key]) => lasting.has(plainName(key)))
      // What the text suggests is no choice for others, which may suggest something else.
      .map(([key, value]) => [key, key === 'cuesFrom' && value === usual ? undefined : value]),
  );
}

/** Null until they are known and for formats without captions. */
export function useCheck({ format, given, source, specs }: ExportChoice): SubtitleCheck | null {
  const studio = useStudio();
  const { id: transcriptId } = useEditor().detail;
  const options = useDeferredValue(given);
  const isWanted = source === 'studio' && 'charactersPerLine' in specs;
  const { data } = useQuery({
    queryKey: ['export-check', transcriptId, format, options],
    queryFn: () =>
      valueOrThrow(
        studio.request('exports.check', { transcriptId, format, options: { ...options }, source: 'studio' }),
      ),
    placeholderData: (shown, query) => (query?.queryKey[2] === format ? shown : undefined),
    enabled: isWanted,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return isWanted ? (data ?? null) : null;
}

export function useIsEmpty(choice: ExportChoice): boolean {
  const check = useCheck(choice);
  const isBlank = useDocument(({ transcript }) =>
    withoutStruckWords(transcript).segments.every(({ text }) => text === ''),
  );
  if (choice.source !== 'studio' || isCutFormat(choice.format)) return false;
  return isBlank || check?.cueCount === 0;
}

export function useCaptionInText(choice: ExportChoice): (cue: number) => void {
  const { store, player, document: text } = useEditor();
  const file = useCheckedFile(choice);
  const transcript = useDocument((state) => state.transcript);
  return (cue) => {
    store.closeExport();
    store.showView('text');
    const place = placeOfCaption(transcript, file, cue);
    const segment = transcript.segments[place?.segment ?? -1];
    if (place === null || segment === undefined) return;
    player.seek(place.startMs);
    text.setState({ caret: { segmentId: segment.id, offset: place.offset } });
  };
}

/** The time span of the selected words, in as many segments as they are; null without a selection. */
function selectedTimes(segments: readonly Segment[]): TimeSpan | null {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const words = [...document.querySelectorAll<HTMLElement>('[data-text]')].flatMap((host) => {
    const segment = segments.find(({ id }) => id === host.dataset['text']);
    if (segment === undefined || !range.intersectsNode(host)) return [];
    const { startContainer, startOffset, endContainer, endOffset } = range;
    const from = host.contains(startContainer) ? offsetOf(host, startContainer, startOffset) : 0;
    const to = host.contains(endContainer) ? offsetOf(host, endContainer, endOffset) : segment.text.length;
    return segment.words.slice(...wordsInText(segment, from, to));
  });
  const [first, last] = [words[0], words.at(-1)];
  return first === undefined || last === undefined ? null : { startMs: first.startMs, endMs: last.endMs };
}
