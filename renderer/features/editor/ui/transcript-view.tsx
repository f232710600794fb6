import {
  Eraser,
  History,
  MicOff,
  Undo2,
  CircleHelp,
  LocateFixed,
  Check,
  CircleAlert,
  WandSparkles,
  Wrench,
} from 'lucide-react';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { worstFirst } from '../../../../shared/domain/subtitles/check-cues.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { replaceText } from '../../../../shared/domain/transcript/edit-segments.ts';
import { insertWord } from '../../../../shared/domain/transcript/replace-stretch.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { cx } from '../../../lib/class-names.ts';
import { useCommands, useRunCommand } from '../../../lib/commands.tsx';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useToast } from '../../../ui/toast.tsx';
import {
  speakerOf,
  useChecksCaptions,
  useDocument,
  useEditor,
  useEditorState,
  useHasSegments,
  useSegments,
  usePlayerState,
  useTargetPlace,
  targetPlace,
  caretInView,
} from '../editor-context.ts';
import { isWholePart, selectedParts } from '../model/block-selection.ts';
import { nextPlace, problemPlaces, type CaptionPlace, type SegmentProblem } from '../model/caption-problems.ts';
import type { Edge } from '../model/edge-at.ts';
import { timingOf } from '../model/speaker-list.ts';
import { useEditorNotice, useStepNotice } from '../use-editor-notice.ts';
import type { InspectorFocus } from '../use-editor-keys.ts';
import { topOfText } from '../use-remembered-place.ts';
import { caretNow, caretOffset, hostOfCaret, storedOffset } from './caret.ts';
import { CaptionStrip, OnlySpeakerStrip, PracticeStrip } from './notices.tsx';
import css from './transcript-view.module.css';
import { Turn } from './turn.tsx';
import { useBlockSelection } from './use-block-selection.ts';
import { useCaptionProblems } from './use-caption-problems.ts';
import { useFollowingText, type IsInView, useStillText } from './use-following-text.ts';
import { useMend, useProblemWords, useWordsForLeft } from './use-problem-words.ts';
import { useRows } from './use-rows.ts';
import { useSpelling } from './use-spelling.tsx';
import { useTextEditing } from './use-text-editing.ts';
import { useTextKeys } from './use-text-keys.ts';
import { useWordClicks } from './use-word-clicks.ts';
import { useWordCommands, WordMenu } from './word-menu.tsx';
import { createWordMarks, type FoundPlace, type WordMarks } from './word-marks.ts';

/** The text of the recording: only the visible segments are in the document, whatever its length. */
export function TranscriptView({ focusTimes }: Pick<InspectorFocus, 'focusTimes'>) {
  const t = useText();
  const run = useRunCommand();
  const { detail, document: text } = useEditor();
  const canUndo = useDocument((state) => state.canUndo);
  const isEdited = useDocument(({ savedRevision }) => savedRevision > 0) || canUndo;
  if (useHasSegments()) return <Turns focusTimes={focusTimes} />;
  return (
    <div className="column fill relative" data-pane="text">
      <div className={css['empty']}>
        {isEdited ? (
          <EmptyState
            icon={Eraser}
            title={t('editor.empty.deletedTitle')}
            action={
              <>
                {canUndo && (
                  <Button variant="primary" icon={Undo2} onPress={text.undo}>
                    {t('editor.undo')}
                  </Button>
                )}
                <Button icon={History} onPress={() => run('versions.open')}>
                  {t('versions.open')}
                </Button>
              </>
            }
          >
            {t('editor.empty.deletedText')}
          </EmptyState>
        ) : (
          <EmptyState icon={MicOff} title={t('editor.empty.title')}>
            {t('editor.empty.text')} {detail.mediaUrl !== null && t('editor.empty.listen')}
          </EmptyState>
        )}
      </div>
    </div>
  );
}

function Turns({ focusTimes }: Pick<InspectorFocus, 'focusTimes'>) {
  const t = useText();
  const editor = useEditor();
  const { wordsLang, timeline, commands, store, player, document: text } = editor;
  const segments = useSegments();
  const scroller = useRef<HTMLElement>(null);
  const hintId = useId();
  const marks = useWordMarks();
  const spelling = useSpelling(marks);
  const current = useTargetPlace();
  const selection = useEditorState((state) => state.selection);
  const selected = useMemo(
    () => new Set(selectedParts(segments, selection).flatMap((part) => (isWholePart(part) ? [part.segment.id] : []))),
    [segments, selection],
  );
  const { showsExactTimes } = useSettings();
  const checksCaptions = useChecksCaptions();
  const changeSettings = useSettingsChange();
  const hasNotes = useMemo(() => segments.some((_segment, index) => timeline.isNote(index)), [segments, timeline]);
  const speakerAt = (index: number) => segments[index]?.speakerId ?? null;
  const isSpeakerShown = (index: number) =>
    index === 0 || speakerAt(index) === null || speakerAt(index) !== speakerAt(index - 1);
  // A segment of nobody after one of somebody would be read as theirs.
  const hasHeading = (index: number) =>
    isSpeakerShown(index) && (speakerAt(index) !== null || speakerAt(index - 1) !== null);
  const rows = useRows(scroller, segments, { isSpeakerShown, hasHeading, checksCaptions, showsExactTimes });
  const editTimes = useCallback(
    (edge: Edge) => {
      // During playback the fields are those of the segment that is heard.
      player.pause();
      focusTimes(edge);
    },
    [player, focusTimes],
  );

  useEffect(() => {
    const { topSegment } = store.getState();
    const at = topSegment === null ? -1 : timeline.segments.findIndex(({ id }) => id === topSegment);
    if (at >= 0) rows.scrollToIndex(at, { align: 'start' });
    store.setState({ topSegment: null });
  }, [store, timeline, rows]);
  useLayoutEffect(
    () => () => {
      const { view, leftCaret } = store.getState();
      if (view !== 'versions') return;
      const caret = caretInView(leftCaret);
      store.setState({ topSegment: topOfText() });
      text.setState({ caret: caret === null ? null : { ...caret } });
    },
    [store, text],
  );
  const { reveal, isInView } = useFollowingText(scroller, rows, marks);
  const announcement = useTextKeys(scroller, marks, reveal);
  useEffect(() => {
    // When a transcript is opened nothing has the focus, or what it was chosen with: keys read, and Tab leads into the text.
    const list = scroller.current;
    const hasFocus = document.activeElement !== document.body && document.activeElement?.closest('nav') == null;
    if (hasFocus || list === null) return;
    list.focus({ preventScroll: true });
    // Nobody went there, so no ring says so; the word at the cursor is marked.
    list.toggleAttribute('data-just-opened', true);
    list.addEventListener('blur', () => list.toggleAttribute('data-just-opened', false), { once: true });
  }, []);
  useStillText(scroller);
  useWordClicks(scroller, marks);
  useTextEditing(scroller, rows, marks, commands);
  useTextCommands();
  useWordCommands();
  const revealSegment = useCallback((segment: number) => reveal({ segment, word: 0 }), [reveal]);
  useBlockSelection(scroller, revealSegment);
  const problems = useCaptionCommands(current, revealSegment);
  useCommands({ 'text.exactTimes': () => void changeSettings({ showsExactTimes: !showsExactTimes }) });
  const items = rows.getVirtualItems();
  const tabStop = items.some(({ index }) => index === current) ? current : (items[0]?.index ?? 0);
  const speakerTabStop = items.findLast(({ index }) => index <= tabStop && hasHeading(index))?.index;

  return (
    <div className="column fill relative" data-pane="text">
      {hasNotes && <PracticeStrip />}
      <OnlySpeakerStrip />
      <CaptionStrip />
      {/* Reading with the keyboard (use-text-keys); Tab moves into the text, for typing (use-text-editing). */}
      <section
        ref={scroller}
        className={cx(css['scroller'], checksCaptions && css['checked'], showsExactTimes && css['exact'])}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by the keyboard
        tabIndex={0}
        aria-label={t('editor.text.label')}
        aria-describedby={hintId}
        data-own-space
      >
        <div className={css['all']} style={{ blockSize: `${String(rows.getTotalSize())}px` }}>
          {items.map((row) => {
            const segment = segments[row.index];
            return segment === undefined ? null : (
              <Turn
                key={row.key}
                index={row.index}
                segment={segment}
                speaker={speakerOf(editor, row.index)}
                isSpeakerShown={isSpeakerShown(row.index)}
                hasHeading={hasHeading(row.index)}
                isContinued={row.index + 1 < segments.length && !isSpeakerShown(row.index + 1)}
                isCurrent={row.index === current}
                problems={problems.get(segment.id)}
                lastComment={segments[row.index - 1]?.words.at(-1)?.comment?.id}
                onEditTimes={showsExactTimes ? editTimes : null}
                isSelected={selected.has(segment.id)}
                isNote={timeline.isNote(row.index)}
                isTabStop={row.index === tabStop}
                isSpeakerTabStop={row.index === speakerTabStop}
                lang={wordsLang}
                marks={marks}
                top={row.start}
                measure={rows.measureElement}
              />
            );
          })}
        </div>
      </section>
      <p id={hintId} hidden>
        {t('editor.text.hint')}
      </p>
      <FollowButton scroller={scroller} isInView={isInView} />
      <WordMenu scroller={scroller} spelling={spelling} />
      <VisuallyHidden>
        <p aria-live="polite" lang={wordsLang}>
          {announcement}
        </p>
      </VisuallyHidden>
    </div>
  );
}

function useWordMarks(): WordMarks {
  const { detail, timeline, player, store, document: text } = useEditor();
  const isMarked = useMemo(() => timingOf(detail.transcript) !== 'all-estimated', [detail.transcript]);
  const marks = useMemo(() => createWordMarks(timeline, isMarked), [timeline, isMarked]);
  useEffect(() => {
    const hear = (timeMs: number) => marks.showHeard(timeline.wordAt(timeMs));
    hear(player.timeMs());
    const showFound = () => {
      const { listening, found } = store.getState();
      const { matches, current } = found;
      const indexOf = new Map(matches.length === 0 ? [] : timeline.segments.map(({ id }, index) => [id, index]));
      const places = new Map<number, FoundPlace[]>();
      for (const [place, { segmentId, from, to }] of matches.entries()) {
        const index = indexOf.get(segmentId) ?? -1;
        const mark = { from, to, isCurrent: place === current, differs: listening !== null };
        places.set(index, [...(places.get(index) ?? []), mark]);
      }
      marks.showFound(places);
    };
    showFound();
    const showSelected = () => {
      const parts = selectedParts(timeline.segments, store.getState().selection).filter((part) => !isWholePart(part));
      marks.showSelected(
        new Map(parts.map(({ segment, from, to }) => [timeline.segments.indexOf(segment), [from, to] as const])),
      );
    };
    const stops = [
      store.subscribe((state, before) => {
        if (state.found !== before.found) showFound();
        if (state.selection !== before.selection) showSelected();
      }),
      marks.publish(),
      player.onTime(hear),
      text.subscribe(() => hear(player.timeMs())),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [marks, timeline, player, store, text]);
  return marks;
}

function useTextCommands(): void {
  const editor = useEditor();
  const { document: text, player, timeline } = editor;
  const t = useText();
  const showToast = useToast();
  useCommands({
    'text.lastEdited': () => {
      const here = timeline.segments[targetPlace(editor)]?.id;
      const place = text.lastEdit() ?? (here !== undefined && caretNow() === null && { segmentId: here, offset: 0 });
      if (place !== false) text.setState({ caret: { ...place } });
    },
    // The service doesn't tell how sure it is of a word, and nothing else here could.
    'text.nextDoubtful': () => showToast({ icon: CircleHelp, text: t('editor.info.noDoubt') }),
    'text.insertTime': () => {
      const host = hostOfCaret();
      if (host === null) return;
      const [segmentId, offset, shown] = [host.dataset['text'] ?? '', caretOffset(host) ?? 0, host.textContent];
      const { from, to, inserted } = insertWord(shown, offset, `[${clock(player.timeMs())}]`);
      const next = shown.slice(0, from) + inserted + shown.slice(to);
      const caretAfter = { segmentId, offset: storedOffset(next, from + inserted.length) };
      text.edit('type', (now) => replaceText(now, segmentId, next), {
        caretBefore: { segmentId, offset: storedOffset(shown, offset) },
        caretAfter,
      });
      text.setState({ caret: caretAfter });
    },
  });
}

function FollowButton({
  scroller,
  isInView,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly isInView: IsInView;
}) {
  const t = useText();
  const { store, player, timeline } = useEditor();
  const { isPlaying } = usePlayerState();
  const isFollowing = useEditorState((state) => state.isFollowing);
  const [away, setAway] = useState<string | null>(null);
  useEffect(() => {
    if (isFollowing || scroller.current === null) return undefined;
    const scope = new Scope();
    const look = () => {
      const timeMs = player.timeMs();
      const isHere = isInView(timeline.wordAt(timeMs) ?? { segment: timeline.segmentNear(timeMs), word: null });
      setAway(isHere ? null : clock(timeMs));
    };
    let asked = requestAnimationFrame(look);
    const lookSoon = () => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(look);
    };
    scope.add(() => cancelAnimationFrame(asked));
    scope.listen(scroller.current, 'scroll', lookSoon);
    scope.listen(window, 'resize', lookSoon);
    scope.add(player.onTime(look));
    return () => scope.dispose();
  }, [scroller, isInView, isFollowing, player, timeline]);
  const isPressed = useEditorState((state) => state.isTextPressed);
  const label =
    isFollowing || (away === null && !isPlaying)
      ? null
      : isPlaying || away === null
        ? t('editor.text.follow')
        : t('editor.text.backTo', { time: away });
  // It takes its room from the text, so it comes and goes only when no button is down in there.
  const [shown, setShown] = useState(label);
  if (shown !== label && !isPressed) setShown(label);
  if (shown === null) return null;
  return (
    <Button size="sm" icon={LocateFixed} className={css['follow']} onPress={() => store.follow(true)}>
      {shown}
    </Button>
  );
}

/** `current`: the segment that is meant where no caret is; `show` brings one into view. */
function useCaptionCommands(
  current: number,
  show: (segment: number) => void,
): ReadonlyMap<string, readonly SegmentProblem[]> {
  const t = useText();
  const { commands, player, document: text } = useEditor();
  const { problems, look, check } = useCaptionProblems();
  const showNotice = useEditorNotice();
  const showStep = useStepNotice();
  const mend = useMend();
  const wordsForLeft = useWordsForLeft();
  const { brief } = useProblemWords();
  const shownProblem = useRef<CaptionPlace | null>(null);
  const tellNone = () => showNotice({ icon: Check, text: t('editor.captions.none') });
  /** Goes to the next caption with a problem and places the caret at its first word. */
  const goToProblem = (by: 1 | -1) => {
    const found = check();
    const { segments } = text.getState().transcript;
    if (found.size === 0) tellNone();
    const caret = caretNow();
    const caretPlace = segments.findIndex(({ id }) => id === caret?.segmentId);
    const shown = shownProblem.current;
    // Where the user only listens, the first problem of this segment has not been shown yet.
    const listened =
      shown?.segment === current ? shown : { segment: current, offset: by > 0 ? -1 : Number.POSITIVE_INFINITY };
    const here = caret === null || caretPlace < 0 ? listened : { segment: caretPlace, offset: caret.offset };
    const next = nextPlace(problemPlaces(segments, found), here, by);
    const segment = segments[next?.segment ?? -1];
    if (next === undefined || segment === undefined) return;
    shownProblem.current = next;
    text.setState({ caret: { segmentId: segment.id, offset: next.offset } });
    show(next.segment);
    player.seek(next.startMs);
  };
  useCommands({
    'captions.nextProblem': () => goToProblem(1),
    'captions.previousProblem': () => goToProblem(-1),
    'captions.mend': () => {
      const found = check();
      const caretId = window.document.activeElement?.closest<HTMLElement>('[data-text]')?.dataset['text'];
      const id = caretId ?? text.getState().transcript.segments[current]?.id ?? '';
      const own = found.get(id) ?? [];
      const { isMended, moved } = mend(own);
      const left = isMended ? (look().get(id) ?? []) : own;
      const remain =
        left.length === 0
          ? ''
          : t('editor.captions.remain', { count: left.length, problems: worstFirst(left).map(brief).join(' · ') });
      if (moved !== '') {
        showStep({ icon: Wrench, text: [moved, remain].filter((sentence) => sentence !== '').join(' ') });
        return;
      }
      if (isMended && left.length === 0) return;
      const split = left.find((problem) => problem.split !== null)?.split ?? null;
      if (!isMended && split !== null) {
        commands.splitAt(split.segmentId, split.offset);
        return;
      }
      const why = own.length === 0 ? t('editor.captions.nothingToMend') : wordsForLeft(own);
      showNotice({ icon: CircleAlert, text: isMended ? remain : why });
    },
    'captions.mendAll': () => {
      const found = [...check().values()].flat();
      if (found.length === 0) {
        tellNone();
        return;
      }
      if (!mend(found).isMended) {
        showNotice({ icon: CircleAlert, text: wordsForLeft(found) });
        return;
      }
      const left = [...look().values()].flat().length;
      const count = found.length - left;
      const sentences = [
        ...(count > 0 ? [t('editor.captions.mended', { count })] : []),
        ...(left > 0 ? [t('editor.captions.left', { count: left })] : []),
      ];
      showStep({ icon: WandSparkles, text: sentences.join(' ') });
    },
  });
  return problems;
}
