export { RecoveryGate } from './recovery-gate.tsx';
