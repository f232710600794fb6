import { useEffect, useLayoutEffect, useMemo, useState, type RefObject } from 'react';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import { createWaveformView, type WaveformView } from '../../../audio/waveform/waveform-view.ts';
import type { WaveformRegion } from '../../../audio/waveform/waveform-regions.ts';
import { useFormats } from '../../../lib/text.ts';
import { useEditor, useEditorState, usePlayerState, useSegments, useUnheardSpans } from '../editor-context.ts';
import { maskedText } from '../../../../shared/domain/transcript/edit-marks.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import type { ShownSpeaker } from '../model/speaker-list.ts';

interface AppPaths {
  readonly surface: RefObject<HTMLDivElement | null>;
  readonly host: RefObject<HTMLDivElement | null>;
}

export function useDurationMs(): number {
  const { detail } = useEditor();
  const { durationMs } = usePlayerState();
  return durationMs > 0 ? durationMs : detail.transcript.durationMs;
}

interface Shown {
  readonly pyramid: PeakPyramid | null;
  readonly revision: number;
  readonly segments: readonly Segment[] | null;
  readonly isConnected: boolean;
}

export function useWaveformView(kind: 'lane' | 'overview', url: string): WaveformView {
  const { player, detail } = useEditor();
  const [view] = useState(() => createWaveformView({ kind, player, url, durationMs: detail.transcript.durationMs }));
  return view;
}

/** All of it is there before the first frame, and so is its picture. */
export function useShownWaveform(
  view: WaveformView,
  { surface, host }: AppPaths,
  { pyramid, revision, segments: dragged, isConnected }: Shown,
): void {
  const { speakers } = useEditor();
  const durationMs = useDurationMs();
  const { timeCode } = useFormats();
  useLayoutEffect(() => {
    if (surface.current === null || host.current === null) return undefined;
    return view.mount({ surface: surface.current, host: host.current });
  }, [view, surface, host]);
  const written = useSegments();
  const segments = dragged ?? written;
  const regions = useMemo(() => regionsOf(segments, speakers), [segments, speakers]);
  useLayoutEffect(() => view.setRegions(regions), [view, regions]);
  const unheard = useUnheardSpans();
  const found = useEditorState((state) => state.foundSilences);
  useLayoutEffect(() => view.setSpans(unheard, found), [view, unheard, found]);
  useLayoutEffect(() => view.setDuration(durationMs), [view, durationMs]);
  useLayoutEffect(() => view.setTimeCode(timeCode), [view, timeCode]);
  useLayoutEffect(() => view.setPeaks(pyramid), [view, pyramid, revision]);
  useEffect(() => {
    if (isConnected) view.connect();
  }, [view, isConnected]);
}

/** More have no room in the lane. */
const labelWords = 12;

/** Where nobody is named, segments are told apart by their numbers and how they begin. */
function beginningOf(segment: Segment, at: number): string {
  const own = segment.words.slice(0, labelWords).map(({ text }) => text);
  const rest = segment.words.length > labelWords ? '…' : '';
  return `${[at + 1, maskedText(segment, 0, own.join(' ').length).replaceAll('\n', ' ')].join(' ').trimEnd()}${rest}`;
}

export function regionsOf(segments: readonly Segment[], speakers: readonly ShownSpeaker[]): readonly WaveformRegion[] {
  const known = new Map(speakers.map((speaker) => [speaker.id, speaker]));
  return segments.map((segment, at) => {
    const { startMs, endMs, speakerId } = segment;
    const speaker = speakerId === null ? undefined : known.get(speakerId);
    return {
      startMs,
      endMs,
      // A recording without distinguished speakers has the colour of its only one.
      colour: speaker?.colour ?? Number(speakers.length === 0),
      label: speaker?.name ?? beginningOf(segment, at),
      isBeginning: speaker === undefined,
      initials: speaker?.initials ?? String(at + 1),
    };
  });
}

export function useSpanPlace(
  layer: RefObject<HTMLElement | null>,
  view: WaveformView,
  startMs: number | undefined,
  endMs: number | undefined,
): void {
  useEffect(() => {
    const element = layer.current;
    if (element === null) return undefined;
    const place = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) => {
      const at = (timeMs: number | undefined) => `${String((((timeMs ?? 0) - fromMs) / (toMs - fromMs)) * 100)}%`;
      element.style.setProperty('--from', at(startMs));
      element.style.setProperty('--to', at(endMs));
    };
    place(view.span());
    return view.onSpan(place);
  }, [layer, view, startMs, endMs]);
}
