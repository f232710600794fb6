import { CircleAlert, CloudUpload } from 'lucide-react';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { useChooseMode } from './use-connection-form.ts';

/** Switches from this computer, or from practice, to the service whose address and key are there. */
export function UseService() {
  const t = useText();
  const words = useFailureWords();
  const { choose, isChoosing, failure } = useChooseMode();
  return (
    <>
      <div>
        <Button variant="primary" icon={CloudUpload} isLoading={isChoosing} onPress={() => void choose('service')}>
          {t('shell.more.use')}
        </Button>
      </div>
      {failure !== null && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
          {words(failure).textAfterTitle}
        </Banner>
      )}
    </>
  );
}
