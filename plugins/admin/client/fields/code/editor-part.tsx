import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { loadPart, whenIdle } from "../../app/load-part.js";
import { t } from "../../messages/text.js";
import { Boundary } from "../../ui/boundary.js";
import { Banner, Bone, messageOf } from "../../ui/state.js";

/** How far from the screen an editor is made already. */
const MARGIN = "400px";
/** Of an empty editor: its bar, its frame and the least height of its text. What is below it stays where it is. */
const HEIGHT = "calc(8rem + var(--control-small) + 2 * var(--space-1) + 3px)";

interface EditorPartProps {
  /** Loads the editor's code: it is there before the editor is near the screen, and before the network may be gone. */
  readonly load: () => Promise<unknown>;
  readonly children: ReactNode;
}

/** An editor that is costly to make: it is made when it comes near the screen, and what fails in it stays in its field. */
export function EditorPart({ load, children }: EditorPartProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!ref.current || isNear) return;
    // What does not load now is asked for again, and then shown, by the editor itself.
    whenIdle(() => void loadPart(load).catch(() => undefined));
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isNear, load]);
  const place = <Bone height={HEIGHT} />;
  return (
    <div ref={ref}>
      {isNear ? (
        <Boundary
          fallback={(error) => <Banner kind="wrong">{t("field.broken", { message: messageOf(error) })}</Banner>}
        >
          <Suspense fallback={place}>{children}</Suspense>
        </Boundary>
      ) : (
        place
      )}
    </div>
  );
}
