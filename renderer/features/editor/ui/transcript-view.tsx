import { Eraser, History, MicOff, Undo2 } from 'lucide-react';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { cx } from '../../../lib/class-names.ts';
import { useCommands, useRunCommand } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import {
  speakerOf,
  useChecksCaptions,
  useDocument,
  useEditor,
  useEditorState,
  useHasSegments,
  useSegments,
} from '../editor-context.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { isWholePart, selectedParts } from '../model/block-selection.ts';
import type { Edge } from '../model/edge-at.ts';
import { isAllEstimated } from '../model/speaker-list.ts';
import { FollowButton } from './follow-button.tsx';
import css from './transcript-view.module.css';
import { Turn } from './turn.tsx';
import { caretInView } from './use-back-to-text.ts';
import { useBlockSelection } from './use-block-selection.ts';
import { useCaptionCommands } from './use-caption-commands.ts';
import { OnlySpeakerStrip, PracticeStrip } from './text-strips.tsx';
import { useRows } from './use-rows.ts';
import type { InspectorFocus } from '../use-inspector-focus.ts';
import { topOfText } from '../use-remembered-place.ts';
import { useTargetPlace } from '../use-target-place.ts';
import { useFollowingText } from './use-following-text.ts';
import { useStillText } from './use-still-text.ts';
import { useSpelling } from './use-spelling.tsx';
import { useTextCommands } from './use-text-commands.ts';
import { useTextEditing } from './use-text-editing.ts';
import { useTextKeys } from './use-text-keys.ts';
import { useWordClicks } from './use-word-clicks.ts';
import { useWordCommands } from './use-word-commands.ts';
import { WordMenu } from './word-menu.tsx';
import { createWordMarks, type FoundPlace, type WordMarks } from './word-marks.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';

/** The text of the recording: only the visible segments are in the document, whatever its length. */
export function TranscriptView({ focusTimes }: Pick<InspectorFocus, 'focusTimes'>) {
  const t = useText();
  const { detail } = useEditor();
  const isEdited = useDocument(({ canUndo, savedRevision }) => canUndo || savedRevision > 0);
  if (useHasSegments()) return <Turns focusTimes={focusTimes} />;
  return (
    <div className={css['pane']} data-pane="text">
      <div className={css['empty']}>
        {isEdited ? (
          <DeletedText />
        ) : (
          <EmptyState icon={MicOff} title={t('editor.empty.title')}>
            {t('editor.empty.text')} {detail.mediaUrl !== null && t('editor.empty.listen')}
          </EmptyState>
        )}
      </div>
    </div>
  );
}

function DeletedText() {
  const t = useText();
  const run = useRunCommand();
  const { document: text } = useEditor();
  const canUndo = useDocument((state) => state.canUndo);
  return (
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
          <Button
            icon={History}
            onPress={() => {
              run('versions.open');
            }}
          >
            {t('versions.open')}
          </Button>
        </>
      }
    >
      {t('editor.empty.deletedText')}
    </EmptyState>
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
  // Without speakers each segment is a paragraph of its own.
  const isSpeakerShown = (index: number) => {
    const speakerId = segments[index]?.speakerId ?? null;
    return index === 0 || speakerId === null || speakerId !== segments[index - 1]?.speakerId;
  };
  // A segment of nobody after one of somebody would be read as theirs.
  const hasHeading = (index: number) =>
    isSpeakerShown(index) && ((segments[index]?.speakerId ?? null) !== null || isAfterSomebody(segments, index));
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
      // The text is found again as it was left.
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
  const revealSegment = useCallback(
    (segment: number) => {
      reveal({ segment, word: 0 });
    },
    [reveal],
  );
  useBlockSelection(scroller, revealSegment);
  const problems = useCaptionCommands(current, revealSegment);
  useCommands({
    'text.exactTimes': () => void changeSettings({ showsExactTimes: !showsExactTimes }),
  });
  const items = rows.getVirtualItems();
  const tabStop = items.some(({ index }) => index === current) ? current : (items[0]?.index ?? 0);
  const speakerTabStop = items.findLast(({ index }) => index <= tabStop && hasHeading(index))?.index;

  return (
    <div className={css['pane']} data-pane="text">
      {hasNotes && <PracticeStrip />}
      <OnlySpeakerStrip />
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

const isAfterSomebody = (segments: readonly Segment[], index: number) =>
  (segments[index - 1]?.speakerId ?? null) !== null;

function useWordMarks(): WordMarks {
  const { detail, timeline, player, store, document: text } = useEditor();
  const isMarked = useMemo(() => !isAllEstimated(detail.transcript), [detail.transcript]);
  const marks = useMemo(() => createWordMarks(timeline, isMarked), [timeline, isMarked]);
  useEffect(() => {
    const hear = (timeMs: number) => {
      marks.showHeard(timeline.wordAt(timeMs));
    };
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
      text.subscribe(() => {
        hear(player.timeMs());
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [marks, timeline, player, store, text]);
  return marks;
}
