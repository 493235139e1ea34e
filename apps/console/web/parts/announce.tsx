import { signal } from '@preact/signals';

const message = signal('');

/** Tells people who do not see the page what has changed. */
export function announce(text: string): void {
  message.value = text;
}

/** The one live region of the page. */
export function Announcements() {
  return (
    <p class="unseen" role="status">
      {message}
    </p>
  );
}
