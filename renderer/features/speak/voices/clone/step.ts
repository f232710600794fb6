import type { ReactNode } from 'react';
import type { SpeechVoice } from '../../../../../shared/domain/speech/voices.ts';
import type { CloneStep } from '../../../../../shared/domain/voices/clone-draft.ts';
import type { Clone } from './use-clone.ts';

/** What a step shows in the dialog around it. */
export interface StepView {
  readonly body: ReactNode;
  readonly footer: ReactNode;
}

export interface StepProps {
  readonly clone: Clone;
  /** Draws the dialog of the step. */
  readonly frame: (view: StepView) => ReactNode;
  /** Looks at an earlier step, or back at the present one. */
  readonly onLook: (step: CloneStep | null) => void;
  readonly onClose: () => void;
  readonly onUse: (voice: SpeechVoice) => void;
  readonly onEdit: (voice: SpeechVoice) => void;
}
