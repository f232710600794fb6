import { Copy, Merge, Pencil, Play, RefreshCw, Scissors, Trash2 } from 'lucide-react';
import type { SpeechBlock } from '../../../../shared/domain/speech/blocks.ts';
import { withoutMarks } from '../../../../shared/domain/speech/split-text.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useKeyFor } from '../../../lib/commands.tsx';
import { onceChanged } from '../../../lib/once-changed.ts';
import { useText } from '../../../lib/text.ts';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { useCopy, useUndoNotice } from '../../../ui/notices.ts';
import { useSpeaking } from '../speak-context.tsx';

interface BlockInPlace {
  readonly block: SpeechBlock;
  readonly index: number;
  readonly isLast: boolean;
  readonly onEdit: () => void;
}

/** Removes a sentence, and offers to undo that. */
export function useRemoveBlock(block: SpeechBlock): () => void {
  const t = useText();
  const { store } = useSpeaking();
  const showUndo = useUndoNotice();
  return () => {
    store.editBlock(block.id, '');
    showUndo({
      text: t('speak.blocks.removed'),
      undo: () => store.undo(),
      until: onceChanged(store, ({ steps }) => steps),
    });
  };
}

/** The menu of a sentence, built when it opens. */
export function useBlockEntries({ block, index, isLast, onEdit }: BlockInPlace): () => readonly MenuEntry[] {
  const t = useText();
  const copy = useCopy();
  const keyFor = useKeyFor();
  const { mode } = useSettings();
  const { store } = useSpeaking();
  const remove = useRemoveBlock(block);
  return () => {
    const { state = 'new', characters = 0 } = store.statusOf(index) ?? {};
    const isReady = state === 'ready' || state === 'locked';
    return [
      {
        id: 'edit',
        text: t('speak.blocks.edit'),
        icon: Pencil,
        isDisabled: block.isLocked,
        onAction: onEdit,
      },
      { id: 'from', text: t('speak.blocks.playFrom'), icon: Play, onAction: () => store.play(index) },
      {
        id: 'take',
        text: isReady
          ? t(modeOf(mode).isFree ? 'speak.blocks.newTakeFree' : 'speak.blocks.newTake')
          : t('speak.blocks.speakThis', { count: characters }),
        icon: RefreshCw,
        isDisabled: block.isLocked,
        onAction: () => store.speak(index, { count: 1, isNewTake: isReady }),
      },
      {
        id: 'split',
        text: t('speak.blocks.split'),
        icon: Scissors,
        shortcut: keyFor('speak.split'),
        isDisabled: block.isLocked || !/\S\s+\S/u.test(block.text),
        onAction: () => store.split({ blockId: block.id }),
      },
      {
        id: 'merge',
        text: t('speak.blocks.merge'),
        icon: Merge,
        shortcut: keyFor('speak.merge'),
        isDisabled: block.isLocked || isLast,
        onAction: () => store.merge(block.id),
      },
      {
        id: 'copy',
        text: t('speak.blocks.copy'),
        icon: Copy,
        onAction: () => void copy(withoutMarks(block.text)),
      },
      {
        id: 'remove',
        text: t('speak.blocks.remove'),
        icon: Trash2,
        isDanger: true,
        shortcut: 'Delete',
        isDisabled: block.isLocked,
        onAction: remove,
      },
    ];
  };
}
