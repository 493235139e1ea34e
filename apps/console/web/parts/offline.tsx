import { useEffect, useState } from 'preact/hooks';

/** Says that the browser has no network. What was read stays, and nothing is sent by itself until there is one again. */
export function Offline() {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const change = () => setOnline(navigator.onLine);
    addEventListener('online', change);
    addEventListener('offline', change);
    return () => {
      removeEventListener('online', change);
      removeEventListener('offline', change);
    };
  }, []);
  return (
    <div class="offline" role="status">
      {!isOnline &&
        'This browser has no network. What you see was read before; what you have typed stays, and is sent when you click again.'}
    </div>
  );
}
