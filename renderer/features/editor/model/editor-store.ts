import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CueProblemKind } from '../../../../shared/domain/subtitles/check-cues.ts';
import type { Caret } from '../../../../shared/domain/transcript/history.ts';
import type { TextMatch, TextQuery } from '../../../../shared/domain/transcript/find-text.ts';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import type { BlockSelection } from './block-selection.ts';
import type { WordPlace } from './timeline.ts';

/** A lane shows from 1.5 s to 10 min, and never more than the recording. */
const leastVisibleMs = 1500;
/** A lane of all of it is no longer than what the browser can lay out, 33 million pixels, in a window of 1600. */
const mostLanes = 20_000;
const mostVisibleMs = 600_000;
const zoomStep = 1.5;
/** The shortest range between A and B; a shorter one would be inaudible. */
const leastRangeMs = 50;

/** How much of a recording of this length a lane may show. */
export function zoomRange(lengthMs: number): { readonly leastMs: number; readonly mostMs: number } {
  const mostMs = Math.min(mostVisibleMs, Math.max(1, lengthMs));
  return { leastMs: Math.min(Math.max(leastVisibleMs, lengthMs / mostLanes), mostMs), mostMs };
}

export interface EditorState {
  /** The segment being played or played last; -1 when there is none. */
  readonly current: number;
  /** The segment with the caret, remembered beside the text until the playhead is moved; null: none. */
  readonly caretSegment: string | null;
  /** The word at the keyboard cursor; null until arrow keys are used. */
  readonly cursor: WordPlace | null;
  /** Where the caret was when the text lost the focus; null: nowhere yet. */
  readonly leftCaret: Caret | null;
  /** Another transcript, or none, is shown instead. */
  readonly isLeft: boolean;
  readonly isFollowing: boolean;
  /** A button of the mouse is down in the text, under which nothing moves by itself. */
  readonly isTextPressed: boolean;
  readonly isLooping: boolean;
  /** Looping began with a range, and ends with it. */
  readonly loopsForRange: boolean;
  readonly visibleMs: number;
  /** The length of the recording, which limits zooming out. */
  readonly lengthMs: number;
  /** Where the export that is open began; null while it is closed. */
  readonly exportOpenedAt: ExportPlace | null;
  readonly panel: InspectorPanel;
  /** Whether the captions of this transcript are checked; undefined: as the setting says. */
  readonly checksCaptions: boolean | undefined;
  /** How often each caption rule is violated, while that is checked. */
  readonly captionProblems: ReadonlyMap<CueProblemKind, number>;
  /** Whether moving an edge shifts everything after it. */
  readonly isRippling: boolean;
  /** The first visible segment when the text was left after scrolling; null: it follows the playback. */
  readonly topSegment: string | null;
  /** The next jump restores the last position: the scroll position stays. */
  readonly keepsScroll: boolean;
  /** Whole segments that are selected. */
  readonly selection: BlockSelection | null;
  /** The span of the recording that is being recognised again. */
  readonly listening: TimeSpan | null;
  /** The dictionary could not be read: nothing is marked as misspelt. */
  readonly isSpellingFailed: boolean;
  /** Only what this speaker says is played; null: everything. */
  readonly onlySpeakerId: string | null;
  /** The range selected on the waveform or between A and B, which is looped. */
  readonly range: TimeSpan | null;
  /** A, while there is no B yet: where a range will begin. */
  readonly rangeStartMs: number | null;
  /** Playback stops at the end of this span; null: at the end of the recording. */
  readonly playedOnce: TimeSpan | null;
  /** Whether the silence finder is open, and which silences it would cut. */
  readonly isFindingSilence: boolean;
  readonly foundSilences: readonly TimeSpan[];
  /** The waveform of the whole recording, once it is loaded. */
  readonly pyramid: PeakPyramid | null;
  /** Whether the lane shows frequencies instead of loudness. */
  readonly showsSpectrum: boolean;
  /** The main view above the transport. */
  readonly view: EditorView;
  readonly query: TextQuery;
  readonly replacement: string;
  readonly found: FoundMatches;
}

/** The search results. */
export interface FoundMatches {
  readonly matches: readonly TextMatch[];
  /** -1 for none. */
  readonly current: number;
  /** How often a match was gone to, which shows the current one again. */
  readonly visits: number;
}

/** The style of the captions has a way of its own, from the settings. */
export type ExportPlace = 'start' | 'captionStyle';

export type EditorView = 'text' | 'versions';

export const inspectorPanels = ['find', 'speakers', 'info'] as const;
export type InspectorPanel = (typeof inspectorPanels)[number];

/** One per opened transcript. Components call commands, not setters. */
export interface EditorStore extends StoreApi<EditorState> {
  readonly hear: (segment: number) => void;
  readonly holdCaret: (segmentId: string | null) => void;
  readonly moveCursor: (place: WordPlace) => void;
  readonly follow: (isFollowing: boolean) => void;
  readonly loop: (isLooping: boolean) => void;
  readonly zoomTo: (visibleMs: number) => void;
  /** Zooms by this many steps: out, or in if negative. */
  readonly zoomBy: (steps: number) => void;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  /** Shows all of the recording, or as much as a lane can. */
  readonly zoomToFit: () => void;
  readonly measure: (lengthMs: number) => void;
  readonly openExport: (at?: ExportPlace) => void;
  readonly closeExport: () => void;
  /** Closes what is shown in its place. */
  readonly showPanel: (panel: InspectorPanel) => void;
  readonly checkCaptions: (checksCaptions: boolean | undefined) => void;
  readonly countCaptionProblems: (captionProblems: ReadonlyMap<CueProblemKind, number>) => void;
  readonly ripple: (isRippling: boolean) => void;
  readonly select: (selection: BlockSelection | null) => void;
  readonly listenTo: (span: TimeSpan | null) => void;
  readonly chooseRange: (range: TimeSpan | null) => void;
  /** A: the range begins here; without a B after it this is a mark and no range yet. */
  readonly startRange: (timeMs: number) => void;
  /** B: the range ends here, and is looped. */
  readonly endRange: (timeMs: number) => void;
  readonly playOnce: (span: TimeSpan | null) => void;
  readonly playOnly: (onlySpeakerId: string | null) => void;
  readonly findSilence: (isFinding: boolean) => void;
  readonly showSilences: (spans: readonly TimeSpan[]) => void;
  readonly showSpectrum: (isShown: boolean) => void;
  readonly showView: (view: EditorView) => void;
  readonly find: (change: Partial<TextQuery>) => void;
  readonly replaceWith: (replacement: string) => void;
  readonly showFound: (matches: readonly TextMatch[], current: number, isVisit?: boolean) => void;
}

export function createEditorStore(lengthMs: number): EditorStore {
  const store = createStore<EditorState>(() => ({
    current: -1,
    caretSegment: null,
    cursor: null,
    isFollowing: true,
    isTextPressed: false,
    isLooping: false,
    loopsForRange: false,
    visibleMs: clampZoom(48_000, lengthMs),
    lengthMs,
    exportOpenedAt: null,
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
  const zoomTo = (wanted: number) => {
    store.setState({ visibleMs: clampZoom(wanted, store.getState().lengthMs) });
  };
  const zoomBy = (steps: number) => {
    zoomTo(store.getState().visibleMs * zoomStep ** steps);
  };
  const chooseRange = (range: TimeSpan | null) => {
    const { isLooping, loopsForRange } = store.getState();
    const isOver = range === null && loopsForRange;
    store.setState({
      range,
      rangeStartMs: null,
      isLooping: isLooping && !isOver,
      loopsForRange: loopsForRange && !isOver,
    });
  };
  return Object.assign(store, {
    hear(segment: number) {
      if (store.getState().current !== segment) store.setState({ current: segment });
    },
    holdCaret(caretSegment: string | null) {
      if (store.getState().caretSegment !== caretSegment) store.setState({ caretSegment });
    },
    moveCursor(place: WordPlace) {
      store.setState({ cursor: place });
    },
    follow(isFollowing: boolean) {
      if (store.getState().isFollowing !== isFollowing) store.setState({ isFollowing });
    },
    loop(isLooping: boolean) {
      store.setState({ isLooping, loopsForRange: isLooping && store.getState().range !== null });
    },
    zoomTo,
    zoomBy,
    zoomIn() {
      zoomBy(-1);
    },
    zoomOut() {
      zoomBy(1);
    },
    zoomToFit() {
      zoomTo(mostVisibleMs);
    },
    measure(length: number) {
      const { visibleMs, lengthMs: before } = store.getState();
      if (length === before) return;
      // A view of everything stays a view of everything.
      const wanted = visibleMs >= zoomRange(before).mostMs ? Math.max(visibleMs, length) : visibleMs;
      store.setState({ lengthMs: length, visibleMs: clampZoom(Math.min(wanted, mostVisibleMs), length) });
    },
    openExport(at: ExportPlace = 'start') {
      store.setState({ exportOpenedAt: at });
    },
    closeExport() {
      store.setState({ exportOpenedAt: null });
    },
    showPanel(panel: InspectorPanel) {
      store.setState({ panel, listening: null, isFindingSilence: false, foundSilences: [] });
    },
    checkCaptions(checksCaptions: boolean | undefined) {
      store.setState({ checksCaptions });
    },
    countCaptionProblems(captionProblems: ReadonlyMap<CueProblemKind, number>) {
      store.setState({ captionProblems });
    },
    ripple(isRippling: boolean) {
      store.setState({ isRippling });
    },
    select(selection: BlockSelection | null) {
      store.setState({ selection });
    },
    listenTo(listening: TimeSpan | null) {
      store.setState({ listening, ...(listening === null ? {} : { isFindingSilence: false, foundSilences: [] }) });
    },
    chooseRange,
    startRange(timeMs: number) {
      const { range, lengthMs } = store.getState();
      const startMs = Math.max(0, Math.min(timeMs, lengthMs - leastRangeMs));
      const endMs = range?.endMs ?? 0;
      const isRange = endMs - startMs >= leastRangeMs;
      chooseRange(isRange ? { startMs, endMs } : null);
      if (!isRange) store.setState({ rangeStartMs: startMs });
    },
    endRange(timeMs: number) {
      const endMs = Math.max(timeMs, leastRangeMs);
      const { range, rangeStartMs, isLooping, loopsForRange } = store.getState();
      const begunMs = rangeStartMs ?? range?.startMs ?? 0;
      const startMs = endMs - begunMs >= leastRangeMs ? begunMs : 0;
      chooseRange({ startMs, endMs });
      store.setState({ isLooping: true, loopsForRange: loopsForRange || !isLooping });
    },
    playOnce(playedOnce: TimeSpan | null) {
      store.setState({ playedOnce });
    },
    playOnly(onlySpeakerId: string | null) {
      store.setState({ onlySpeakerId });
    },
    findSilence(isFindingSilence: boolean) {
      store.setState({ isFindingSilence, foundSilences: [], ...(isFindingSilence ? { listening: null } : {}) });
    },
    showSilences(foundSilences: readonly TimeSpan[]) {
      store.setState({ foundSilences });
    },
    showSpectrum(showsSpectrum: boolean) {
      store.setState({ showsSpectrum });
    },
    showView(view: EditorView) {
      store.setState({ view });
    },
    find(change: Partial<TextQuery>) {
      const { query, found } = store.getState();
      store.setState({ query: { ...query, ...change }, found: { ...found, current: -1 } });
    },
    replaceWith(replacement: string) {
      store.setState({ replacement });
    },
    showFound(matches: readonly TextMatch[], current: number, isVisit = false) {
      store.setState({ found: { matches, current, visits: store.getState().found.visits + Number(isVisit) } });
    },
  });
}

function clampZoom(wantedMs: number, lengthMs: number): number {
  const { leastMs, mostMs } = zoomRange(lengthMs);
  return Math.min(mostMs, Math.max(leastMs, wantedMs));
}
