import { useCallback, useState, type ReactNode } from 'react';
import type { ImportedText } from '../../../shared/domain/speech/edit-document.ts';
import { countCharacters } from '../../../shared/domain/speech/split-text.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { onceChanged } from '../../lib/once-changed.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useUndoNotice } from '../../ui/notices.ts';
import { useSpeaking } from './speak-context.tsx';
import css from './speak-screen.module.css';

type Place = 'new' | 'cursor' | 'replace';
const places: readonly Place[] = ['new', 'cursor', 'replace'];

/**
 * Imports the text of a file that was dropped, or chosen in the system's dialog. If there is text already, or the file
 * has times, it asks where the text goes. Undo reverts it.
 */
export function useImportText(cursorAt: () => number | null): readonly [(dropped: File | null) => void, ReactNode] {
  const t = useText();
  const studio = useStudio();
  const words = useFailureWords();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const { store } = useSpeaking();
  const [asked, setAsked] = useState<ImportedText | null>(null);
  const [place, setPlace] = useState<Place>('new');
  const [keepsTimes, setKeepsTimes] = useState(true);
  const put = useCallback(
    async (imported: ImportedText, where: Place, at: number | null) => {
      setAsked(null);
      if (where === 'new' && !(await store.create())) return;
      const { document } = store.getState();
      if (document === null) return;
      store.importText(imported, where === 'cursor' ? { at: at ?? document.text.length } : 'whole');
      const text = t('speak.imported', { name: imported.name });
      if (where === 'new') showToast({ text });
      else showUndo({ text, undo: () => store.undo(), until: onceChanged(store, ({ steps }) => steps) });
    },
    [store, showToast, showUndo, t],
  );
  const choose = useCallback(
    (dropped: File | null) => {
      const read = async () => {
        const token = dropped === null ? null : await studio.fileTokenFor(dropped);
        if (token !== null && !token.ok) return token;
        return studio.request('speak.importText', { token: token === null ? null : token.value });
      };
      void read().then((answer) => {
        if (!answer.ok) {
          showToast({ text: `${t('speak.importFailed')}. ${words(answer.error).text}` });
          return;
        }
        const { imported } = answer.value;
        const { document } = store.getState();
        if (imported === null || document === null) return;
        const isEmpty = document.text.trim() === '';
        if (isEmpty && imported.cues === null) void put(imported, 'replace', null);
        else {
          setPlace(isEmpty ? 'replace' : 'new');
          setKeepsTimes(imported.cues !== null);
          setAsked(imported);
        }
      });
    },
    [studio, store, t, words, showToast, put],
  );
  const hasTimes = asked !== null && asked.cues !== null && place !== 'cursor';
  const dialog = (
    <Dialog
      title={t('speak.importTitle', { name: asked?.name ?? '' })}
      closeLabel={t('speak.close')}
      width="sm"
      isOpen={asked !== null}
      onClose={() => setAsked(null)}
      footer={
        <>
          <Button onPress={() => setAsked(null)}>{t('speak.cancel')}</Button>
          <Button
            variant="primary"
            onPress={() => {
              if (asked === null) return;
              void put({ ...asked, cues: hasTimes && keepsTimes ? asked.cues : null }, place, cursorAt());
            }}
          >
            {t('speak.importNow')}
          </Button>
        </>
      }
    >
      <div className={css['importing']}>
        {asked !== null && (
          <div>
            <p className={css['excerpt']}>{asked.text}</p>
            <p className={css['hint']}>{t('speak.characters', { count: countCharacters(asked.text) })}</p>
          </div>
        )}
        <Segmented
          isBlock
          isLabelShown
          label={t('speak.importWhere')}
          value={place}
          options={places.map((value) => ({ value, text: t(`speak.importPlaces.${value}`) }))}
          onChange={setPlace}
        />
        {hasTimes && (
          <Switch
            label={t('speak.importTimes')}
            hint={t('speak.importTimesHint')}
            isOn={keepsTimes}
            onChange={setKeepsTimes}
          />
        )}
      </div>
    </Dialog>
  );
  return [choose, dialog];
}
