import { CircleAlert, Terminal } from 'lucide-react';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import css from '../speak-screen.module.css';
import { useVoices } from '../use-voices.ts';

/** What practice mode needs to speak, in one line for each system. */
const installLines = {
  linux: 'sudo apt install espeak-ng',
  darwin: 'brew install espeak-ng',
  win32: 'winget install eSpeak-NG.eSpeak-NG',
} as const;

/** What keeps the text from being spoken, and what to do about it. */
export function Notices() {
  const t = useText();
  const words = useFailureWords();
  const showToast = useToast();
  const { data } = useVoices();
  const { mode } = useConnection();
  const orderFailure = useSpeakState((state) => state.orderFailure);
  const agent = navigator.userAgent;
  const line = installLines[agent.includes('Windows') ? 'win32' : agent.includes('Mac') ? 'darwin' : 'linux'];
  const cannotSpeak = mode === 'practice' && data?.canSpeak === false;
  if (!cannotSpeak && orderFailure === null) return null;
  return (
    <div className={css['notices']}>
      {cannotSpeak && (
        <Banner
          tone="warn"
          icon={Terminal}
          title={t('speak.noSpeech')}
          actions={
            <Button
              size="sm"
              onPress={() => {
                void navigator.clipboard.writeText(line).then(() => {
                  showToast({ text: t('speak.copied') });
                });
              }}
            >
              {t('speak.copyLine')}
            </Button>
          }
        >
          {t('speak.noSpeechText')} <code className={css['line']}>{line}</code>
        </Banner>
      )}
      {orderFailure !== null && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={words(orderFailure).title}>
          {words(orderFailure).textAfterTitle}
        </Banner>
      )}
    </div>
  );
}

export function NotOpened() {
  const t = useText();
  const words = useFailureWords();
  const { store } = useSpeaking();
  const failure = useSpeakState((state) => state.failure);
  return (
    <div className={css['notices']}>
      <Banner
        role="alert"
        tone="bad"
        icon={CircleAlert}
        title={t('speak.loadFailed')}
        actions={
          <Button size="sm" onPress={() => void store.load()}>
            {t('speak.tryAgain')}
          </Button>
        }
      >
        {failure !== null && words(failure).text}
      </Banner>
    </div>
  );
}
