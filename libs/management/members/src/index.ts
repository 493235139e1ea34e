export { createMember } from './create-member.js';
export { endSessions, isPending, lockMember } from './member-state.js';
export { MembersModule } from './members.module.js';
export { memberView } from './member-view.js';
export {
  checkHistory,
  checkNewPassword,
  currentHash,
  hashNewPassword,
  passwordRules,
  rememberedHashes,
  storePassword,
  verifyWithLimit,
} from './passwords.js';
export { resetPassword } from './reset-password.js';
