export { useChooseMode } from '../../connection/use-choose-mode.ts';
export { useConnectionForm } from '../../connection/use-connection-form.ts';
export { ConnectionForm } from '../../connection/connection-form.tsx';
export { PracticeState } from '../../connection/practice-state.tsx';
export { WelcomeScreen } from './welcome-screen.tsx';
