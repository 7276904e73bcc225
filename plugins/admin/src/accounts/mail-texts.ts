/** What a mail says, by its kind. */
export type MailKind =
  | "invitation"
  | "reset"
  | "passwordChanged"
  | "emailChanged"
  | "factorAdded"
  | "factorRemoved"
  | "factorReset"
  | "recoveryUsed"
  | "recoveryReplaced";

/** What stands in a mail. */
export interface MailValues {
  /** Name of the site. */
  readonly brand: string;
  /** Where to go: of an invitation and a reset with their code, else the page. */
  readonly link: string;
  /** Hours that the link is valid, where it is not for ever. */
  readonly hours?: number;
}

type Write = (values: MailValues) => readonly [subject: string, text: string];

const asked =
  (told: string, ask: string): Write =>
  ({ brand, link }) => [`${brand}: ${told}`, `${told}.\n\n${ask}\n\n${link}\n`];

const ENGLISH: Readonly<Record<MailKind, Write>> = {
  invitation: ({ brand, link, hours }) => [
    `You are invited to ${brand}`,
    `You are invited to write on ${brand}. Choose a name and a password here, within ${hours} hours:\n\n${link}\n`,
  ],
  reset: ({ brand, link, hours }) => [
    `${brand}: a new password`,
    `Choose a new password here, within ${hours} h:\n\n${link}\n\nIf you did not ask for it, there is nothing to do: the old one stays.\n`,
  ],
  passwordChanged: asked("Your password was changed", "If that was not you, tell an administrator at once:"),
  emailChanged: asked(
    "Your account has another e-mail address now",
    "If that was not you, tell an administrator at once:",
  ),
  factorAdded: asked(
    "A second factor was added to your account",
    "If that was not you, tell an administrator at once:",
  ),
  factorRemoved: asked(
    "A second factor was removed from your account",
    "If that was not you, tell an administrator at once:",
  ),
  factorReset: asked(
    "An administrator has reset your second factor",
    "Sign in with your password to set up another one:",
  ),
  recoveryUsed: asked(
    "A recovery code of your account was used",
    "If that was not you, tell an administrator at once:",
  ),
  recoveryReplaced: asked(
    "Your recovery codes were replaced by new ones",
    "If that was not you, tell an administrator at once:",
  ),
};

const GERMAN_ALARM = "Wenn Sie das nicht waren, sagen Sie es sofort einem Administrator:";
const GERMAN: Readonly<Record<MailKind, Write>> = {
  invitation: ({ brand, link, hours }) => [
    `Einladung zu ${brand}`,
    `Sie sind eingeladen, auf ${brand} zu schreiben. Wählen Sie hier innerhalb von ${hours} Stunden Namen und Passwort:\n\n${link}\n`,
  ],
  reset: ({ brand, link, hours }) => [
    `${brand}: ein neues Passwort`,
    `Wählen Sie hier innerhalb von ${hours} h ein neues Passwort:\n\n${link}\n\nWenn Sie nicht darum gebeten haben, ist nichts zu tun: Das alte gilt weiter.\n`,
  ],
  passwordChanged: asked("Ihr Passwort wurde geändert", GERMAN_ALARM),
  emailChanged: asked("Ihr Konto hat jetzt eine andere E-Mail-Adresse", GERMAN_ALARM),
  factorAdded: asked("Ihr Konto hat einen weiteren zweiten Faktor", GERMAN_ALARM),
  factorRemoved: asked("Ein zweiter Faktor Ihres Kontos wurde entfernt", GERMAN_ALARM),
  factorReset: asked(
    "Ein Administrator hat Ihren zweiten Faktor zurückgesetzt",
    "Melden Sie sich mit Ihrem Passwort an, um einen neuen einzurichten:",
  ),
  recoveryUsed: asked("Ein Wiederherstellungscode Ihres Kontos wurde verwendet", GERMAN_ALARM),
  recoveryReplaced: asked("Ihre Wiederherstellungscodes wurden durch neue ersetzt", GERMAN_ALARM),
};

const FRENCH_ALARM = "Si ce n’était pas vous, prévenez aussitôt un administrateur\u00a0:";
const FRENCH: Readonly<Record<MailKind, Write>> = {
  invitation: ({ brand, link, hours }) => [
    `Invitation à ${brand}`,
    `Vous êtes invité à écrire sur ${brand}. Choisissez ici un nom et un mot de passe, dans les ${hours}\u00a0heures\u00a0:\n\n${link}\n`,
  ],
  reset: ({ brand, link, hours }) => [
    `${brand}\u00a0: un nouveau mot de passe`,
    `Choisissez ici un nouveau mot de passe, dans un délai de ${hours}\u00a0h\u00a0:\n\n${link}\n\nSi vous n’avez rien demandé, il n’y a rien à faire\u00a0: l’ancien reste valable.\n`,
  ],
  passwordChanged: asked("Votre mot de passe a été modifié", FRENCH_ALARM),
  emailChanged: asked("Votre compte a désormais une autre adresse e-mail", FRENCH_ALARM),
  factorAdded: asked("Un second facteur a été ajouté à votre compte", FRENCH_ALARM),
  factorRemoved: asked("Un second facteur a été retiré de votre compte", FRENCH_ALARM),
  factorReset: asked(
    "Un administrateur a réinitialisé votre second facteur",
    "Connectez-vous avec votre mot de passe pour en configurer un autre\u00a0:",
  ),
  recoveryUsed: asked("Un code de secours de votre compte a été utilisé", FRENCH_ALARM),
  recoveryReplaced: asked("Vos codes de secours ont été remplacés par de nouveaux", FRENCH_ALARM),
};

const SPANISH_ALARM = "Si no ha sido usted, avise de inmediato a un administrador:";
const SPANISH: Readonly<Record<MailKind, Write>> = {
  invitation: ({ brand, link, hours }) => [
    `Invitación a ${brand}`,
    `Le invitamos a escribir en ${brand}. Elija aquí un nombre y una contraseña en las próximas ${hours} horas:\n\n${link}\n`,
  ],
  reset: ({ brand, link, hours }) => [
    `${brand}: una contraseña nueva`,
    `Elija aquí una contraseña nueva en un plazo de ${hours} h:\n\n${link}\n\nSi no la ha pedido, no tiene que hacer nada: la anterior sigue siendo válida.\n`,
  ],
  passwordChanged: asked("Se ha cambiado su contraseña", SPANISH_ALARM),
  emailChanged: asked("Su cuenta tiene ahora otra dirección de correo", SPANISH_ALARM),
  factorAdded: asked("Se ha añadido un segundo factor a su cuenta", SPANISH_ALARM),
  factorRemoved: asked("Se ha quitado un segundo factor de su cuenta", SPANISH_ALARM),
  factorReset: asked(
    "Un administrador ha restablecido su segundo factor",
    "Inicie sesión con su contraseña para configurar otro:",
  ),
  recoveryUsed: asked("Se ha usado un código de recuperación de su cuenta", SPANISH_ALARM),
  recoveryReplaced: asked("Sus códigos de recuperación se han sustituido por otros nuevos", SPANISH_ALARM),
};

const LANGUAGES: Readonly<Record<string, Readonly<Record<MailKind, Write>>>> = {
  ...{ en: ENGLISH, de: GERMAN, fr: FRENCH, es: SPANISH },
};

/** Writes a mail. @param language - as BCP 47 has it; one that there is none in: English */
export function writeMail(kind: MailKind, language: string, values: MailValues): { subject: string; text: string } {
  const code = language.split("-")[0] ?? "";
  const texts = Object.hasOwn(LANGUAGES, code) ? LANGUAGES[code] : undefined;
  const [subject, text] = (texts ?? ENGLISH)[kind](values);
  return { subject, text };
}
