import { createStore } from 'zustand/vanilla';
import type { CueProblemKind } from '../../../../shared/domain/subtitles/check-cues.ts';
import type { WordRange } from '../../../../shared/domain/transcript/edit-marks.ts';
import type { Caret } from './text-document.ts';
import type { TextMatch, TextQuery } from '../../../../shared/domain/transcript/find-text.ts';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import type { BlockSelection } from './block-selection.ts';
import type { WordPlace } from './timeline.ts';

const leastVisibleMs = 1500;
const mostVisibleMs = 600_000;
/** The browser lays out at most 33 million pixels, that many lanes in a window of 1600. */
const mostLanes = 20_000;
const zoomStep = 1.5;
/** A shorter range would be inaudible. */
const leastRangeMs = 50;

export function zoomRange(lengthMs: number): { readonly leastMs: number; readonly mostMs: number } {
  const mostMs = Math.min(mostVisibleMs, Math.max(1, lengthMs));
  return { leastMs: Math.min(Math.max(leastVisibleMs, lengthMs / mostLanes), mostMs), mostMs };
}

export interface EditorState {
  readonly current: number;
  /** The segment with the caret, remembered beside the text until the playhead is moved. */
  readonly caretSegment: string | null;
  /** The word at the keyboard cursor; null until arrow keys are used. */
  readonly cursor: WordPlace | null;
  readonly leftCaret: Caret | null;
  readonly isLeft: boolean;
  readonly isFollowing: boolean;
  /** A button of the mouse is down in the text, under which nothing moves by itself. */
  readonly isTextPressed: boolean;
  readonly isLooping: boolean;
  readonly loopsForRange: boolean;
  readonly visibleMs: number;
  readonly lengthMs: number;
  readonly exportOpenedAt: ExportPlace | null;
  /** Null: exports have the title as their name. */
  readonly exportName: string | null;
  readonly panel: InspectorPanel;
  /** Undefined: as the setting says. */
  readonly checksCaptions: boolean | undefined;
  /** How often each caption rule is violated, while that is checked. */
  readonly captionProblems: ReadonlyMap<CueProblemKind, number>;
  readonly isRippling: boolean;
  /** The first visible segment when the text was left after scrolling; null: it follows the playback. */
  readonly topSegment: string | null;
  /** The next jump restores the last position: the scroll position stays. */
  readonly keepsScroll: boolean;
  readonly selection: BlockSelection | null;
  readonly listening: TimeSpan | null;
  /** The comment that is open, and its words; one that isn't written yet has no others. */
  readonly comment: { readonly id: string; readonly ranges: readonly WordRange[] } | null;
  readonly isSpellingFailed: boolean;
  readonly onlySpeakerId: string | null;
  /** Selected on the waveform or between A and B; looped. */
  readonly range: TimeSpan | null;
  readonly rangeStartMs: number | null;
  readonly playedOnce: TimeSpan | null;
  readonly isFindingSilence: boolean;
  readonly foundSilences: readonly TimeSpan[];
  readonly pyramid: PeakPyramid | null;
  readonly showsSpectrum: boolean;
  readonly view: EditorView;
  readonly query: TextQuery;
  readonly replacement: string;
  readonly found: {
    readonly matches: readonly TextMatch[];
    readonly current: number;
    /** How often a match was gone to, which shows the current one again. */
    readonly visits: number;
  };
}

/** The style of the captions has a way of its own, from the settings. */
type ExportPlace = 'start' | 'captionStyle';

type EditorView = 'text' | 'versions';

export const inspectorPanels = ['find', 'speakers', 'info'] as const;
export type InspectorPanel = (typeof inspectorPanels)[number];

/** One per opened transcript. Components call commands, not setters. */
export type EditorStore = ReturnType<typeof createEditorStore>;

export function createEditorStore(recordingMs: number) {
  const store = createStore<EditorState>(() => ({
    current: -1,
    caretSegment: null,
    cursor: null,
    isFollowing: true,
    isTextPressed: false,
    isLooping: false,
    loopsForRange: false,
    visibleMs: clampZoom(48_000, recordingMs),
    lengthMs: recordingMs,
    exportOpenedAt: null,
    exportName: null,
    panel: 'speakers',
    view: 'text',
    checksCaptions: undefined,
    captionProblems: new Map(),
    isRippling: false,
    topSegment: null,
    leftCaret: null,
    isLeft: false,
    keepsScroll: false,
    selection: null,
    listening: null,
    comment: null,
    isSpellingFailed: false,
    onlySpeakerId: null,
    range: null,
    rangeStartMs: null,
    playedOnce: null,
    isFindingSilence: false,
    foundSilences: [],
    pyramid: null,
    showsSpectrum: false,
    query: { text: '', matchesCase: false, isWholeWord: false, isPattern: false, speakerId: null },
    replacement: '',
    found: { matches: [], current: -1, visits: 0 },
  }));
  const { getState, setState } = store;
  const zoomTo = (wantedMs: number) => setState({ visibleMs: clampZoom(wantedMs, getState().lengthMs) });
  const zoomBy = (steps: number) => zoomTo(getState().visibleMs * zoomStep ** steps);
  const chooseRange = (range: TimeSpan | null) => {
    const { isLooping, loopsForRange } = getState();
    const isOver = range === null && loopsForRange;
    setState({
      range,
      rangeStartMs: null,
      isLooping: isLooping && !isOver,
      loopsForRange: loopsForRange && !isOver,
    });
  };
  return Object.assign(store, {
    hear(segment: number) {
      if (getState().current !== segment) setState({ current: segment });
    },
    holdCaret(caretSegment: string | null) {
      if (getState().caretSegment !== caretSegment) setState({ caretSegment });
    },
    moveCursor: (cursor: WordPlace) => setState({ cursor }),
    follow(isFollowing: boolean) {
      if (getState().isFollowing !== isFollowing) setState({ isFollowing });
    },
    loop: (isLooping: boolean) => setState({ isLooping, loopsForRange: isLooping && getState().range !== null }),
    zoomTo,
    zoomBy,
    zoomIn: () => zoomBy(-1),
    zoomOut: () => zoomBy(1),
    zoomToFit: () => zoomTo(mostVisibleMs),
    measure(lengthMs: number) {
      const { visibleMs, lengthMs: before } = getState();
      if (lengthMs === before) return;
      const wanted = visibleMs >= zoomRange(before).mostMs ? Math.max(visibleMs, lengthMs) : visibleMs;
      setState({ lengthMs, visibleMs: clampZoom(Math.min(wanted, mostVisibleMs), lengthMs) });
    },
    nameExport: (exportName: string | null) => setState({ exportName }),
    openExport: (exportOpenedAt: ExportPlace = 'start') => setState({ exportOpenedAt }),
    closeExport: () => setState({ exportOpenedAt: null }),
    showPanel: (panel: InspectorPanel) =>
      setState({ panel, listening: null, isFindingSilence: false, foundSilences: [] }),
    checkCaptions: (checksCaptions: boolean | undefined) => setState({ checksCaptions }),
    ripple: (isRippling: boolean) => setState({ isRippling }),
    select: (selection: BlockSelection | null) => setState({ selection }),
    listenTo: (listening: TimeSpan | null) =>
      setState({ listening, ...(listening === null ? {} : { isFindingSilence: false, foundSilences: [] }) }),
    openComment: (comment: EditorState['comment']) => setState({ comment }),
    chooseRange,
    /** A: without a B after it this is a mark and no range yet. */
    startRange(timeMs: number) {
      const { range, lengthMs } = getState();
      const startMs = Math.max(0, Math.min(timeMs, lengthMs - leastRangeMs));
      const endMs = range?.endMs ?? 0;
      const isRange = endMs - startMs >= leastRangeMs;
      chooseRange(isRange ? { startMs, endMs } : null);
      if (!isRange) setState({ rangeStartMs: startMs });
    },
    endRange(timeMs: number) {
      const endMs = Math.max(timeMs, leastRangeMs);
      const { range, rangeStartMs, isLooping, loopsForRange } = getState();
      const begunMs = rangeStartMs ?? range?.startMs ?? 0;
      const startMs = endMs - begunMs >= leastRangeMs ? begunMs : 0;
      chooseRange({ startMs, endMs });
      setState({ isLooping: true, loopsForRange: loopsForRange || !isLooping });
    },
    playOnce: (playedOnce: TimeSpan | null) => setState({ playedOnce }),
    playOnly: (onlySpeakerId: string | null) => setState({ onlySpeakerId }),
    findSilence: (isFindingSilence: boolean) =>
      setState({ isFindingSilence, foundSilences: [], ...(isFindingSilence ? { listening: null } : {}) }),
    showSpectrum: (showsSpectrum: boolean) => setState({ showsSpectrum }),
    showView: (view: EditorView) => setState({ view }),
    find(change: Partial<TextQuery>) {
      const { query, found } = getState();
      setState({ query: { ...query, ...change }, found: { ...found, current: -1 } });
    },
    replaceWith: (replacement: string) => setState({ replacement }),
    showFound: (matches: readonly TextMatch[], current: number, isVisit = false) =>
      setState({ found: { matches, current, visits: getState().found.visits + Number(isVisit) } }),
  });
}

function clampZoom(wantedMs: number, lengthMs: number): number {
  const { leastMs, mostMs } = zoomRange(lengthMs);
  return Math.min(mostMs, Math.max(leastMs, wantedMs));
}
