import { Check, MessageSquare, Trash2 } from 'lucide-react';
import { useDeferredValue, useMemo, type KeyboardEvent } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { commentsIn, listComments, writeComment } from '../../../../shared/domain/transcript/comments.ts';
import { mostCommentLetters } from '../../../../shared/domain/transcript/packed.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { isShortcut } from '../../../lib/hotkeys.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { useBackToText, useDocument, useEditor, useEditorState } from '../editor-context.ts';
import type { EditorState } from '../model/editor-store.ts';
import { stepOf } from '../use-editor-keys.ts';
import css from './comments.module.css';
import inspector from './inspector.module.css';

const beginning = (text: string) => (text.length > 200 ? `${text.slice(0, 200).toWellFormed().trimEnd()}…` : text);

type OpenComment = NonNullable<EditorState['comment']>;

/** Signs of the comments that begin in a segment, and the one that is being written there. */
export function SegmentComments({ segment, last }: { readonly segment: Segment; readonly last: string | undefined }) {
  const t = useText();
  const { document, store, timeline } = useEditor();
  const backToText = useBackToText();
  const opened = useEditorState(({ comment }) => (comment?.ranges[0]?.segmentId === segment.id ? comment : null));
  const texts = new Map(commentsIn(segment).map(({ id, text }) => [id, text]));
  if (last !== undefined) texts.delete(last);
  if (opened !== null && !texts.has(opened.id)) texts.set(opened.id, '');
  if (texts.size === 0) return null;
  const show = (id: string, isShown: boolean) => {
    const ranges = listComments(timeline).find(([place]) => place?.id === id) ?? [];
    store.openComment(isShown ? { id, ranges } : null);
    if (isShown) return;
    document.endStep();
    backToText();
  };
  return (
    <span className={css['signs']}>
      {[...texts].map(([id, text]) => (
        <Popover
          key={id}
          label={t('editor.comment.label')}
          className={css['popover']}
          isOpen={opened?.id === id}
          onOpenChange={(isShown) => show(id, isShown)}
          trigger={
            <PressButton
              className={css['sign']}
              label={t('editor.comment.sign', { text: beginning(text) })}
              tip={{ text: beginning(text) }}
              isPassedByTab
            >
              <MessageSquare aria-hidden size={14} strokeWidth={1.75} />
            </PressButton>
          }
        >
          {opened !== null && <CommentField comment={opened} text={text} onClose={() => show(id, false)} />}
        </Popover>
      ))}
    </span>
  );
}

interface FieldProps {
  readonly comment: OpenComment;
  readonly text: string;
  readonly onClose: () => void;
}

function CommentField({ comment: { id, ranges }, text, onClose }: FieldProps) {
  const t = useText();
  const { document } = useEditor();
  const write = (written: string) =>
    document.edit('comment', (now) => writeComment(now, { id, text: written }, ranges), { mergeKey: `comment-${id}` });
  const textAround = () => {
    const { segments } = document.getState().transcript;
    return ranges.map(({ segmentId }) => segments.find((segment) => segment.id === segmentId)?.text).join('\n');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event.nativeEvent);
    if (step !== null) {
      const before = textAround();
      document[step]();
      // The words it is about are elsewhere then.
      if (textAround() !== before) onClose();
    } else if (isShortcut(event.nativeEvent, 'Mod+Enter')) onClose();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <textarea
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was opened to be typed into
        autoFocus
        className={css['field']}
        aria-label={t('editor.comment.label')}
        rows={3}
        maxLength={mostCommentLetters}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(text.length, text.length)}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={css['buttons']}>
        <Button
          size="sm"
          variant="ghost"
          icon={Trash2}
          onPress={() => {
            document.endStep();
            write('');
            onClose();
          }}
        >
          {t('editor.comment.delete')}
        </Button>
        <Button size="sm" icon={Check} onPress={onClose}>
          {t('common.done')}
        </Button>
      </div>
    </>
  );
}

/** All comments of the transcript; each leads to its words. */
export function CommentList() {
  const t = useText();
  const { store } = useEditor();
  const { segments } = useDeferredValue(useDocument(({ transcript }) => transcript));
  const comments = useMemo(() => listComments({ segments }), [segments]);
  if (comments.length === 0) return null;
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  return (
    <section className={inspector['section']} aria-label={t('editor.comment.list')}>
      <h2 className={inspector['heading']}>{t('editor.comment.list')}</h2>
      <ul>
        {comments.map((ranges) => {
          const [{ id, text, segmentId, from } = { id: '', text: '', segmentId: '', from: 0 }] = ranges;
          const segment = byId.get(segmentId);
          if (segment === undefined) return null;
          return (
            <li key={id}>
              <PressButton className={css['row']} onPress={() => store.openComment({ id, ranges })}>
                <span>{clock(segment.words[from]?.startMs ?? segment.startMs)}</span>
                <span className="breaks">{text}</span>
              </PressButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
