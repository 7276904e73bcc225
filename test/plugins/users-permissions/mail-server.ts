import { type AddressInfo, createServer, type Socket } from "node:net";

/** A mail server that takes everything, or that says nothing until it is told to. */
export interface MailServer {
  readonly url: string;
  /** What came, as sent: headers and body. */
  readonly received: readonly string[];
  /** Lets those waiting in. */
  open(): void;
  close(): Promise<void>;
}

/** Starts an SMTP server on a free port. @param isSlow - greets nobody before `open`. */
export async function startMailServer({ isSlow = false } = {}): Promise<MailServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const waiting: Socket[] = [];
  let isOpen = !isSlow;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(socket, received);
    if (isOpen) greet(socket);
    else waiting.push(socket);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    open: () => {
      isOpen = true;
      waiting.splice(0).forEach(greet);
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

function greet(socket: Socket): void {
  socket.write("220 tests\r\n");
}

/** Answers line by line; a mail ends with a dot on a line of its own. */
function serve(socket: Socket, received: string[]): void {
  let text = "";
  let mail: string[] | undefined;
  socket.setEncoding("utf8");
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: string) => {
    const lines = (text + chunk).split("\r\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      if (mail && line !== ".") mail.push(line);
      else if (mail) {
        received.push(mail.join("\n"));
        mail = undefined;
        socket.write("250 taken\r\n");
      } else if (/^DATA/i.test(line)) {
        mail = [];
        socket.write("354 go on\r\n");
      } else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
      else socket.write("250 ok\r\n");
    }
  });
}
