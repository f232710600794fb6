import { CircleHelp } from 'lucide-react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { replaceText } from '../../../../shared/domain/transcript/edit-segments.ts';
import { insertWord } from '../../../../shared/domain/transcript/replace-stretch.ts';
import { useCommands } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { useToast } from '../../../ui/toast.tsx';
import { useEditor } from '../editor-context.ts';
import { targetPlace } from '../use-target-place.ts';
import { caretNow, caretOffset, hostOfCaret, storedOffset } from './caret.ts';

/** The commands for the place of the caret. */
export function useTextCommands(): void {
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
    'text.nextDoubtful': () => {
      showToast({ icon: CircleHelp, text: t('editor.info.noDoubt') });
    },
    'text.insertTime': () => {
      const host = hostOfCaret();
      if (host === null) return;
      const [segmentId, offset, shown] = [host.dataset['text'] ?? '', caretOffset(host) ?? 0, host.textContent];
      const { from, to, inserted } = insertWord(shown, offset, `[${clock(player.timeMs())}]`);
      const next = shown.slice(0, from) + inserted + shown.slice(to);
      const caretAfter = { segmentId, offset: storedOffset(next, from + inserted.length) };
      text.endStep();
      text.edit('type', (now) => replaceText(now, segmentId, next), {
        caretBefore: { segmentId, offset: storedOffset(shown, offset) },
        caretAfter,
      });
      text.setState({ caret: caretAfter });
    },
  });
}
