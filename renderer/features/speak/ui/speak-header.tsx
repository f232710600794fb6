import { AudioLines, BookA, Check, FileUp, Redo2, Square, Undo2 } from 'lucide-react';
import { useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PanelActions, PanelTitle } from '../../../ui/panel.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import css from '../speak-screen.module.css';
import { useCost } from '../use-cost.ts';
import { DocumentMenu } from './document-menu.tsx';
import { SaveAudio } from './save-audio.tsx';

/** The title of Speak with what is done with the whole text. */
export function SpeakHeader({ isBusy, onImport }: { readonly isBusy: boolean; readonly onImport: () => void }) {
  const t = useText();
  const { store } = useSpeaking();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const canUndo = useSpeakState(({ steps }) => steps.length > 0);
  const canRedo = useSpeakState(({ undone }) => undone.length > 0);
  const isEmpty = useSpeakState((state) => (state.document?.blocks.length ?? 0) === 0);
  const { sendCount, readyCount, changedCount } = useCost();
  const action =
    sendCount === 0 && readyCount > 0
      ? t('speak.play')
      : changedCount > 0
        ? t('speak.speakChanged', { count: sendCount })
        : readyCount > 0
          ? t('speak.speakNew', { count: sendCount })
          : t('speak.speak');
  return (
    <>
      <PanelTitle>{t('speak.title')}</PanelTitle>
      <DocumentMenu />
      <Saving />
      <PanelActions>
        <IconButton
          icon={Undo2}
          label={t('speak.undo')}
          shortcut={keyFor('speak.undo')}
          isDisabled={!canUndo}
          onPress={() => store.undo()}
        />
        <IconButton
          icon={Redo2}
          label={t('speak.redo')}
          shortcut={keyFor('speak.redo')}
          isDisabled={!canRedo}
          onPress={() => store.redo()}
        />
        <IconButton icon={BookA} label={t('speak.pronunciation.open')} onPress={() => run('speak.pronunciation')} />
        <IconButton icon={FileUp} label={t('speak.import')} onPress={onImport} />
        <SaveAudio />
        {isBusy ? (
          <Button className={css['action']} icon={Square} shortcut={keyFor('speak.stop')} onPress={() => store.stop()}>
            {t('speak.stop')}
          </Button>
        ) : (
          <Button
            variant="primary"
            className={css['action']}
            icon={AudioLines}
            isDisabled={isEmpty}
            onPress={() => {
              store.speak(0);
            }}
          >
            {action}
          </Button>
        )}
      </PanelActions>
    </>
  );
}

function Saving() {
  const t = useText();
  const saving = useSpeakState((state) => state.saving);
  const isEmpty = useSpeakState((state) => state.document === null || state.document.text === '');
  const words = useFailureWords();
  if (isEmpty) return null;
  if (saving === 'saved')
    return (
      <span className={css['saving']}>
        <Check aria-hidden size={14} strokeWidth={1.75} /> {t('speak.saved')}
      </span>
    );
  if (saving === 'saving') return <span className={css['saving']}>{t('speak.saving')}</span>;
  return (
    <span role="alert" className={css['notSaved']}>
      {t('speak.notSaved')}: {words(saving).title}
    </span>
  );
}
