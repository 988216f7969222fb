"""The words that make a button or menu item hard to undo, by language (R3, Z8). Data and matching; no decisions.

A word counts where it leads the name ("Delete account"), or, in languages whose infinitive comes last, where it ends
it ("Konto löschen"). Scripts without spaces match where the word stands in the name. A negated name ("Don't delete")
is never risky by its words.
"""

from __future__ import annotations

import re
import unicodedata

#: Phrases at the start of a name: English, German, Spanish, French, Portuguese, Italian.
LEADING: dict[str, tuple[str, ...]] = {
    "deletes": (
        "delete", "remove", "erase", "discard", "destroy", "wipe", "trash", "move to trash", "move to bin", "empty trash",
        "empty bin", "uninstall", "format", "overwrite", "don't save", "do not save", "close without saving", "clear history",
        "clear data", "löschen", "entfernen", "verwerfen", "deinstallieren", "nicht speichern", "papierkorb leeren",
        "eliminar", "borrar", "quitar", "descartar", "vaciar papelera", "no guardar", "supprimer", "effacer", "excluir",
        "apagar", "elimina", "cancella",
    ),
    "sends": (
        "send", "submit", "post", "publish", "reply all", "tweet", "broadcast", "senden", "absenden", "abschicken",
        "veröffentlichen", "enviar", "publicar", "envoyer", "publier", "soumettre", "invia", "pubblica",
    ),
    "pays": (
        "buy", "pay", "purchase", "order", "place order", "place your order", "checkout", "check out", "subscribe", "donate",
        "transfer", "withdraw", "complete purchase", "confirm purchase", "confirm order", "confirm payment", "kaufen",
        "jetzt kaufen", "bezahlen", "zahlen", "bestellen", "jetzt bestellen", "überweisen", "comprar", "pagar", "realizar pedido",
        "hacer pedido", "suscribirse", "donar", "transferir", "acheter", "payer", "commander", "acquista", "paga",
    ),
    "signs out": (
        "sign out", "log out", "logout", "signout", "log off", "sign off", "abmelden", "ausloggen", "cerrar sesión",
        "se déconnecter", "déconnexion", "sair", "esci",
    ),
    "confirms": ("confirm", "bestätigen", "confirmar", "confirmer", "conferma", "accept terms", "i agree", "agree and"),
    "ends the account or the machine": (
        "close account", "deactivate", "cancel subscription", "unsubscribe", "shut down", "shutdown", "power off", "restart",
        "reboot", "factory reset", "kündigen", "herunterfahren", "neu starten", "darse de baja", "apagar equipo", "revoke",
    ),
}  # fmt: skip

#: Verbs that end a name in German: "Konto löschen", "Nachricht senden".
TRAILING: dict[str, tuple[str, ...]] = {
    "deletes": ("löschen", "entfernen", "verwerfen", "leeren", "deinstallieren"),
    "sends": ("senden", "absenden", "abschicken", "veröffentlichen"),
    "pays": ("kaufen", "bezahlen", "bestellen", "überweisen"),
    "ends the account or the machine": ("kündigen",),
}

#: Words of scripts without spaces: Chinese (both scripts), Japanese.
INSIDE: dict[str, tuple[str, ...]] = {
    "deletes": ("删除", "刪除", "移除", "清空", "卸载", "丢弃", "不保存", "削除", "破棄"),
    "sends": ("发送", "發送", "提交", "发布", "發佈", "送信", "投稿"),
    "pays": ("购买", "購買", "支付", "付款", "下单", "转账", "購入", "注文", "支払"),
    "signs out": ("退出登录", "登出", "注销", "ログアウト"),
    "confirms": ("确认", "確認する"),
}

#: A name that begins so means the opposite of its verb, or another thing altogether.
NOT_RISKY = (
    "don't delete", "do not delete", "don't send", "do not send", "don't remove", "do not remove", "don't discard",
    "order by", "order status", "order history", "post code", "postcode", "format text", "format as", "nicht löschen",
    "nicht senden", "no eliminar", "no borrar", "no enviar", "不删除", "不发送", "取消",
)  # fmt: skip

_POLITE = re.compile(r"^(?:(?:yes|ja|sí|oui|ok|please|bitte|jetzt|now|permanently|endgültig)\b[\s,:!-]*)+")
_NOISE = re.compile(r"^[^\w]+|[\s.…!:*]+$")


def _plain(name: str) -> str:
    text = unicodedata.normalize("NFKC", name).casefold().replace("’", "'")
    text = re.sub(r"[\u00ad\u200b-\u200f\u2060\ufeff&]", "", text)
    return _NOISE.sub("", re.sub(r"\s+", " ", text).strip())


def _leads(words: str, name: str) -> bool:
    return name == words or (name.startswith(words) and not (name[len(words)].isalnum() or name[len(words)] == "_"))


def risky_words(name: str) -> str | None:
    """Return what a button of this name does that is hard to undo (``deletes``, ``pays`` …), None if nothing.

    The name is taken as a leading verb (Z8); see the module's docstring for other languages' order.
    """
    plain = _plain(name)
    if not plain or any(_leads(words, plain) or plain.startswith(words) for words in NOT_RISKY):
        return None
    short = _POLITE.sub("", plain) or plain
    for effect, phrases in LEADING.items():
        if any(_leads(phrase, text) for phrase in phrases for text in (plain, short)):
            return effect
    for effect, verbs in TRAILING.items():
        if any(short == verb or short.endswith(" " + verb) for verb in verbs) and "nicht " not in short:
            return effect
    for effect, parts in INSIDE.items():
        if any(part in short for part in parts):
            return effect
    return None
