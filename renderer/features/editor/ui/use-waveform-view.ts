import { useEffect, useMemo, useState, type RefObject } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import { createWaveformView, type WaveformView } from '../../../audio/waveform/waveform-view.ts';
import type { WaveformRegion } from '../../../audio/waveform/waveform-regions.ts';
import { useFormats } from '../../../lib/text.ts';
import { useEditor, useEditorState, usePlayerState, useSegments, useStruckSpans } from '../editor-context.ts';
import { maskedText } from '../../../../shared/domain/transcript/edit-marks.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import type { ShownSpeaker } from '../model/speaker-list.ts';

interface Places {
  readonly surface: RefObject<HTMLDivElement | null>;
  readonly host: RefObject<HTMLDivElement | null>;
}

/** The length of the recording: from the player, or from the transcript until it is known. */
export function useDurationMs(): number {
  const { detail } = useEditor();
  const { durationMs } = usePlayerState();
  return durationMs > 0 ? durationMs : detail.transcript.durationMs;
}

interface Shown {
  readonly pyramid: PeakPyramid | null;
  readonly revision: number;
  /** While an edge is dragged, the segments as they would be; null: as they are. */
  readonly segments: readonly Segment[] | null;
}

/** Creates a waveform in the given elements while the component is mounted, with regions, peaks and length. */
export function useWaveformView(
  kind: 'lane' | 'overview',
  { surface, host }: Places,
  { pyramid, revision, segments: dragged }: Shown,
): WaveformView | null {
  const editor = useEditor();
  const { player, detail, speakers } = editor;
  const durationMs = useDurationMs();
  const { timeCode } = useFormats();
  const [slot] = useState(() => createStore<{ readonly view: WaveformView | null }>(() => ({ view: null })));
  const { view } = useStore(slot);
  const knownMs = detail.transcript.durationMs;
  const url = detail.mediaUrl;
  useEffect(() => {
    if (surface.current === null || host.current === null || url === null) return undefined;
    const made = createWaveformView({
      kind,
      host: host.current,
      surface: surface.current,
      player,
      url,
      durationMs: knownMs,
      timeCode,
    });
    slot.setState({ view: made });
    return () => {
      made.dispose();
      slot.setState({ view: null });
    };
  }, [slot, kind, surface, host, player, url, knownMs, timeCode]);
  const written = useSegments();
  const segments = dragged ?? written;
  const regions = useMemo(() => regionsOf(segments, speakers), [segments, speakers]);
  useEffect(() => {
    view?.setRegions(regions);
  }, [view, regions]);
  const struck = useStruckSpans();
  const found = useEditorState((state) => state.foundSilences);
  useEffect(() => {
    view?.setSpans(struck, found);
  }, [view, struck, found]);
  useEffect(() => {
    view?.setDuration(durationMs);
  }, [view, durationMs]);
  useEffect(() => {
    view?.setPeaks(pyramid);
  }, [view, pyramid, revision]);
  return view;
}

const labelWords = 3;

/** Where nobody is named, segments are told apart by their numbers and how they begin. */
function beginningOf(segment: Segment, at: number): string {
  const own = segment.words.slice(0, labelWords).map(({ text }) => text);
  return [at + 1, maskedText(segment, 0, own.join(' ').length).replaceAll('\n', ' ')].join(' ').trimEnd();
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
      initials: speaker?.initials ?? String(at + 1),
    };
  });
}
