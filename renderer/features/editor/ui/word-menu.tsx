import { Clock, Copy, Play, Scissors } from 'lucide-react';
import { useEffect, useState, type RefObject } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import { MenuAt, type MenuEntry } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { speakerOf, useEditor } from '../editor-context.ts';
import type { WordPlace } from '../model/timeline.ts';
import { wordLayout } from '../model/word-layout.ts';
import type { WordMarks } from './word-marks.ts';
import { wordUnder } from './word-under.ts';

interface Asked {
  readonly at: { readonly x: number; readonly y: number };
  readonly place: WordPlace;
  /** What was selected when it was asked for. */
  readonly selected: string;
}

/** What a right press on the words offers: to hear them, to copy them, to split here. */
export function WordMenu({
  scroller,
  marks,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly marks: WordMarks;
}) {
  const t = useText();
  const showToast = useToast();
  const editor = useEditor();
  const { timeline, player, canEdit, commands } = editor;
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    if (scroller.current === null) return undefined;
    const scope = new Scope();
    scope.listen<MouseEvent>(scroller.current, 'contextmenu', (event) => {
      const place = wordUnder(event, timeline, marks) ?? segmentUnder(event);
      if (place === null) return;
      event.preventDefault();
      const selected = document.getSelection()?.toString().trim() ?? '';
      setAsked({ at: { x: event.clientX, y: event.clientY }, place, selected });
    });
    return () => {
      scope.dispose();
    };
  }, [scroller, timeline, marks]);
  const segment = asked === null ? undefined : timeline.segments[asked.place.segment];
  if (asked === null || segment === undefined) return null;
  const { place, selected } = asked;
  const startMs = segment.words[place.word]?.startMs ?? segment.startMs;
  const copy = (text: string) => {
    void navigator.clipboard.writeText(text).then(() => {
      showToast({ icon: Copy, text: t('common.copied') });
    });
  };
  const speaker = speakerOf(editor, place.segment)?.name;
  const said = selected === '' ? segment.text : selected;
  const splitAt = wordLayout(segment).ranges[place.word]?.[0] ?? 0;
  const entries: readonly MenuEntry[] = [
    {
      id: 'play',
      text: t('editor.text.menu.play'),
      icon: Play,
      onAction: () => {
        player.seek(startMs);
        player.play();
      },
    },
    'separator',
    {
      id: 'copy',
      text: t('editor.text.menu.copy'),
      icon: Copy,
      onAction: () => {
        copy(said);
      },
    },
    {
      id: 'copy-timed',
      text: t('editor.text.menu.copyTimed'),
      icon: Clock,
      onAction: () => {
        const from = selected === '' ? segment.startMs : startMs;
        copy(`[${clock(from)}] ${speaker === undefined ? '' : `${speaker}: `}${said}`);
      },
    },
    ...(canEdit && splitAt > 0
      ? [
          {
            id: 'split',
            text: t('editor.text.menu.split'),
            icon: Scissors,
            onAction: () => {
              commands.splitAt(segment.id, splitAt);
            },
          },
        ]
      : []),
  ];
  return (
    <MenuAt
      key={`${String(asked.at.x)}-${String(asked.at.y)}`}
      label={t('editor.text.menu.label')}
      entries={entries}
      at={asked.at}
      onClose={() => {
        setAsked(null);
      }}
    />
  );
}

/** Beside the words of a segment its beginning is meant. */
function segmentUnder({ target }: MouseEvent): WordPlace | null {
  const index = target instanceof Element ? target.closest<HTMLElement>('[data-index]')?.dataset['index'] : undefined;
  return index === undefined ? null : { segment: Number(index), word: 0 };
}
