import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Heading } from './heading.js';
import { type Notice, openLink } from './session.js';
import { words } from './words.js';

/** Shows a notice in place of a form. */
export function NoticeView({ notice }: { notice: Notice }) {
  const all = words.value;
  switch (notice.kind) {
    case 'loading':
      return <Skeleton lines={6} />;
    case 'start':
      return (
        <Card title={all.title} text={all.linkLead}>
          <button type="button" class="primary" onClick={() => void openLink(notice.link)}>
            {all.start}
          </button>
        </Card>
      );
    case 'ended':
      return <Card title={all.endedTitle} text={all.endedText} />;
    case 'misplaced':
      return <Card title={all.misplacedTitle} text={all.misplacedText} />;
    case 'failed':
      return (
        <Card title={all.failedTitle} text={all.failedText}>
          <button type="button" class="primary" onClick={notice.retry}>
            {all.tryAgain}
          </button>
        </Card>
      );
  }
}

/** A short message in the middle of the page. */
export function Card(props: { title: string; text: string; children?: ComponentChildren }) {
  return (
    <section class="card notice-card">
      <Heading>{props.title}</Heading>
      <p>{props.text}</p>
      {props.children}
    </section>
  );
}

/** Lines in the place of what loads. They say so only when that takes long, so that a fast answer does not flicker. */
export function Skeleton({ lines }: { lines: number }) {
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = window.setTimeout(() => shown.current?.classList.add('late'), 300);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <div class="skeleton" aria-busy="true" ref={shown}>
      <span class="unseen">{words.value.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}
