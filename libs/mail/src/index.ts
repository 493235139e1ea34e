export {
  AlarmMails,
  type AlarmMailsParts,
  type LostMail,
  type MailOutcome,
} from './alarm-mails.js';
export { type MailOptions, type MailServer, openMailServer } from './mail-server.js';
