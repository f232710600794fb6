import { FileText } from 'lucide-react';
import { useLocation } from 'wouter';
import { useText } from '../lib/text.ts';
import { TranscriptChooser } from '../parts/transcripts/transcript-chooser.tsx';
import { useShellLayer } from './shell-layer.ts';

/** Every transcript of the library to open, whether its row is still in the queue or not. */
export function FindTranscript() {
  const t = useText();
  const [, navigate] = useLocation();
  const { layer, show } = useShellLayer();
  if (layer !== 'transcripts') return null;
  return (
    <TranscriptChooser
      isOfShell
      title={t('transcripts.title')}
      action={{
        text: t('transcripts.open'),
        icon: FileText,
        labelFor: (title) => t('transcripts.openOne', { title }),
        isForEnter: true,
      }}
      onChoose={({ id }) => {
        show('none');
        navigate(`/transcripts/${id}`);
      }}
      onClose={() => {
        show('none');
      }}
    />
  );
}
